package waybill

// ConditionStalled of a MapController is True while its spec is wrong: nothing helps until it is changed. Its
// ConditionReady is True while all parents are mapped, False while something keeps that from being so.
const ConditionStalled = "Stalled"

// Reasons of the conditions of a MapController, besides ReasonValidationError.
const (
	// ReasonMapping: all parents are mapped.
	ReasonMapping = "Mapping"
	// ReasonProgressing: objects are being listed, or somebody else wrote meanwhile.
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
