package porchconfig

// Conditions of a PackageVariant, a PackageVariantSet and a Repository. The page docs/reference/conditions.md is made of these
// comments.
const (
	// ConditionStalled is True while the spec is invalid or its upstream is missing, so that
	// another try does not help; False otherwise. Of a set it is the opposite of Ready.
	ConditionStalled = "Stalled"
	// ConditionReady is True while all that the spec asks for exists, and the Repository can be read; False otherwise.
	ConditionReady = "Ready"
	// ConditionConfigInjected is True while every required injection point has its object, False
	// while one has not; absent when the package has no injection points. It does not change Ready.
	ConditionConfigInjected = "ConfigInjected"
	// ConditionGatesMet is True while every readiness gate of the package has a True condition, False
	// while one has not; absent when the package has no gates. It does not change Ready, and does not
	// prevent an approval.
	ConditionGatesMet = "ReadinessGatesMet"
	// ConditionRendered is False while a draft does not render and is kept nevertheless, because of the annotation
	// porch.kpt.dev/push-on-render-failure; absent otherwise. It does not change Ready.
	ConditionRendered = "Rendered"
	// ConditionContested is True while another controller writes the status of the same PackageVariant, so that Waybill drafts
	// nothing for it; absent otherwise. Ready is False meanwhile.
	ConditionContested = "Contested"
	// ConditionWaybillReady is True while Waybill can read the repository of a Repository whose status a Porch keeps, False
	// otherwise; absent without a Porch, where ConditionReady says it.
	ConditionWaybillReady = "waybill.dev/Ready"
	// ConditionOverlapping is True while another Repository of the namespace shows some of the same revisions;
	// absent otherwise. It does not change Ready.
	ConditionOverlapping = "Overlapping"
)

// Reasons of these conditions.
const (
	// ReasonValidationError: the spec is invalid, or its upstream is missing.
	ReasonValidationError = "ValidationError"
	// ReasonValid: the spec is valid.
	ReasonValid = "Valid"
	// ReasonError: the message says what failed, or what a person has to decide.
	ReasonError = "Error"
	// ReasonNoErrors: the downstream is as in the spec.
	ReasonNoErrors = "NoErrors"
	// ReasonEditedDraft: the variant waits, because its deletion policy would delete a draft with commits by others.
	ReasonEditedDraft = "EditedDraft"
	// ReasonInjected: every required injection point has its object.
	ReasonInjected = "ConfigInjected"
	// ReasonNotInjected: a required injection point has no object; the message names it.
	ReasonNotInjected = "NoResourceSelected"
	// ReasonGatesMet: every readiness gate is met.
	ReasonGatesMet = "AllMet"
	// ReasonGatesUnmet: readiness gates have no True condition; the message names them.
	ReasonGatesUnmet = "Unmet"
	// ReasonRenderFailed: the message says why the draft does not render.
	ReasonRenderFailed = "RenderFailed"
	// ReasonOtherController: another controller works the same object; the message names its field manager.
	ReasonOtherController = "OtherController"
	// ReasonOverlapping: another Repository shows revisions of this one; the message names it.
	ReasonOverlapping = "SameRevisions"
)
