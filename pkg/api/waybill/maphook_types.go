package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MapHooks are what a MapController asks.
type MapHooks struct {
	// Map says what outputs one input becomes. Required.
	Map *MapHook `json:"map,omitempty"`
	// Tombstone says which outputs stay of an input that is gone, or not selected any more. Absent: none.
	Tombstone *MapHook `json:"tombstone,omitempty"`
	// Finalize is asked instead of both while a parent is being deleted. Absent: outputs are left alone
	// then, for the garbage collector to take.
	Finalize *MapHook `json:"finalize,omitempty"`
	// Customize names other objects that hooks want to see, once for each parent.
	Customize *MapHook `json:"customize,omitempty"`
}

// Versions of hooks.
const (
	// HookV1 names objects by name, with their namespace where the parent has none, and leaves out what
	// is outside of a namespaced parent's namespace.
	HookV1 = "v1"
	// HookV2 names objects by namespace and name, leaves out none, and knows more fields.
	HookV2 = "v2"
)

// MapHook is one hook: CEL, a function or a webhook. One that is none of these is as absent.
type MapHook struct {
	// Version is v1, the default, or v2.
	// +kubebuilder:validation:MaxLength=8
	Version string `json:"version,omitempty"`
	// CEL is an expression.
	CEL *CELHook `json:"cel,omitempty"`
	// Function is a KRM function.
	Function *FunctionHook `json:"function,omitempty"`
	// Webhook is asked over HTTP by a live controller. Where there is no network, HookRecordings answer.
	Webhook *Webhook `json:"webhook,omitempty"`
}

// CELHook is an expression over the fields of a request: controller, parent, mapKey, input, outputs,
// related. It gives the list of outputs, or a response as a webhook would.
type CELHook struct {
	// Expression is the text, at most 10240 characters.
	// +kubebuilder:validation:MaxLength=10240
	Expression string `json:"expression"`
}

// FunctionHook names a KRM function in one of three ways. It gets a MapRequest as its configuration.
type FunctionHook struct {
	// Name is a function that is linked into the binary.
	// +kubebuilder:validation:MaxLength=256
	Name string `json:"name,omitempty"`
	// Exec is a program.
	// +kubebuilder:validation:MaxLength=4096
	Exec string `json:"exec,omitempty"`
	// Image is a container image.
	// +kubebuilder:validation:MaxLength=4096
	Image string `json:"image,omitempty"`
}

// Webhook is where and how a live controller asks: POST, JSON, 200 for an answer.
type Webhook struct {
	// URL is the whole address; with it, service and path do not count.
	// +kubebuilder:validation:MaxLength=4096
	URL string `json:"url,omitempty"`
	// Service is a Service of the cluster.
	Service *WebhookService `json:"service,omitempty"`
	// Path is the path at the service.
	// +kubebuilder:validation:MaxLength=4096
	Path string `json:"path,omitempty"`
	// Timeout is how long to wait for an answer. Defaults to 10s, as does anything that is not positive.
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// ETag has answers kept and asked for again by their ETag.
	ETag *WebhookETag `json:"etag,omitempty"`
	// ResponseUnMarshallMode is loose or strict. Strict refuses fields that are unknown or there twice.
	// Defaults to loose for version v1 and strict for v2.
	// +kubebuilder:validation:MaxLength=8
	ResponseUnMarshallMode string `json:"responseUnMarshallMode,omitempty"`
	// WebhookConnection says how to connect. If any of it is there, no entry of spec.endpointConfigs counts.
	WebhookConnection `json:",inline"`
}

// Modes of Webhook.ResponseUnMarshallMode.
const (
	ResponseLoose  = "loose"
	ResponseStrict = "strict"
)

// WebhookService is a Service of the cluster.
type WebhookService struct {
	// Name is the Service's.
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// Namespace is where it is.
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace"`
	// Port defaults to 80.
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=65535
	Port *int32 `json:"port,omitempty"`
	// Protocol is http, the default, or https.
	// +kubebuilder:validation:MaxLength=8
	Protocol *string `json:"protocol,omitempty"`
}

// WebhookETag says how answers are kept.
type WebhookETag struct {
	// Enabled has them kept.
	Enabled *bool `json:"enabled,omitempty"`
	// CacheTimeoutSeconds is how long one is kept. Absent or 0: 20 minutes.
	// +kubebuilder:validation:Minimum=0
	CacheTimeoutSeconds *int32 `json:"cacheTimeoutSeconds,omitempty"`
	// CacheCleanupSeconds is how often those that are too old are forgotten. Absent or 0: 10 minutes.
	// +kubebuilder:validation:Minimum=0
	CacheCleanupSeconds *int32 `json:"cacheCleanupSeconds,omitempty"`
}
