package waybill

// Conditions of a ChangeBudget.
const (
	// ConditionReady is True while the budget is valid and bounds every pass, False while
	// its spec is wrong: then nothing that it might select is committed.
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

// ConditionStalled of a MapController is True while its spec is wrong: nothing helps until it is changed. Its
// ConditionReady is True while all parents are mapped, False while something keeps that from being so.
const ConditionStalled = "Stalled"

// Reasons of the conditions of a MapController, besides ReasonValidationError.
const (
	// ReasonMapping: all parents are mapped.
	ReasonMapping = "Mapping"
	// ReasonProgressing: objects are being listed, or another client wrote meanwhile.
	ReasonProgressing = "Progressing"
	// ReasonNotServed: the API server does not know a type, in the version that is named.
	ReasonNotServed = "NotServed"
	// ReasonForbidden: the controller may not do what it has to.
	ReasonForbidden = "Forbidden"
	// ReasonHookSettings: what a webhook needs to connect is not there, or cannot be read.
	ReasonHookSettings = "HookSettings"
	// ReasonUnavailable: the API server does not answer.
	ReasonUnavailable = "Unavailable"
	// ReasonFailing: some parents have errors; others are mapped.
	ReasonFailing = "Failing"
	// ReasonRefused: outputs are not deleted, because a limit or the lack of all inputs forbids it.
	ReasonRefused = "Refused"
)
