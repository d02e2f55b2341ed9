package waybill

// Conditions of a ChangeBudget.
const (
	// ConditionReady is True while the budget is valid and limits every pass, False while its spec
	// is invalid: then nothing that it might select is committed.
	ConditionReady = "Ready"
	// ConditionExceeded is True while the last pass was held back because it would have changed more
	// than the budget allows, False otherwise.
	ConditionExceeded = "Exceeded"
)

// Reasons of these conditions.
const (
	ReasonValid           = "Valid"
	ReasonValidationError = "ValidationError"
	ReasonSelectsNothing  = "SelectsNothing"
	ReasonWithinBudget    = "WithinBudget"
	ReasonBudgetExceeded  = "BudgetExceeded"
	ReasonOverridden      = "Overridden"
)

// ConditionStalled of a MapController is True while its spec is invalid and must be changed. Its ConditionReady is True
// while all parents are mapped, else False.
const ConditionStalled = "Stalled"

// Reasons of the conditions of a MapController, besides ReasonValidationError.
const (
	// ReasonMapping: all parents are mapped.
	ReasonMapping = "Mapping"
	// ReasonProgressing: objects are being listed, or another client wrote meanwhile.
	ReasonProgressing = "Progressing"
	// ReasonNotServed: the API server does not know a type, in the version that is named.
	ReasonNotServed = "NotServed"
	// ReasonForbidden: the controller lacks a permission.
	ReasonForbidden = "Forbidden"
	// ReasonHookSettings: a Secret or ConfigMap of a webhook is missing, or cannot be read.
	ReasonHookSettings = "HookSettings"
	// ReasonUnavailable: the API server does not answer.
	ReasonUnavailable = "Unavailable"
	// ReasonFailing: some parents have errors; others are mapped.
	ReasonFailing = "Failing"
	// ReasonRefused: outputs are not deleted, because a limit or the lack of all inputs forbids it.
	ReasonRefused = "Refused"
)
