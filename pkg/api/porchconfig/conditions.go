package porchconfig

// Conditions of a PackageVariant.
const (
	// ConditionStalled is True while the spec is invalid or its upstream is missing, so that
	// another try does not help; False otherwise.
	ConditionStalled = "Stalled"
	// ConditionReady is True while the downstream is as in the spec, False otherwise.
	ConditionReady = "Ready"
	// ConditionConfigInjected is True while every required injection point has its object, False
	// while one has not; absent when the package has no injection points. It does not change Ready.
	ConditionConfigInjected = "ConfigInjected"
	// ConditionGatesMet is True while every readiness gate of the package has a True condition, False
	// while one has not; absent when the package has no gates. It does not change Ready, and does not
	// prevent an approval.
	ConditionGatesMet = "ReadinessGatesMet"
)

// Conditions of a Repository, besides ConditionReady.
const (
	// ConditionWaybillReady says what ConditionReady says where a Porch keeps the status, whose own Ready is; absent
	// elsewhere.
	ConditionWaybillReady = "waybill.dev/Ready"
	// ConditionOverlapping is True while another Repository of the namespace shows some of the same revisions;
	// absent otherwise. It does not change Ready.
	ConditionOverlapping = "Overlapping"
)

// Reasons of these conditions.
const (
	ReasonValidationError = "ValidationError"
	ReasonValid           = "Valid"
	ReasonError           = "Error"
	ReasonNoErrors        = "NoErrors"
	// ReasonEditedDraft: the variant waits, because its deletion policy would delete a draft with commits by others.
	ReasonEditedDraft = "EditedDraft"
	ReasonInjected    = "ConfigInjected"
	ReasonNotInjected = "NoResourceSelected"
	ReasonGatesMet    = "AllMet"
	ReasonGatesUnmet  = "Unmet"
	ReasonOverlapping = "SameRevisions"
)
