package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// MapHooks are the hooks of a MapController.
type MapHooks struct {
	// Map returns the outputs of one input. Required.
	Map *MapHook `json:"map,omitempty"`
	// Tombstone returns the outputs that stay of an input that is gone, or not selected any more. Absent: none.
	Tombstone *MapHook `json:"tombstone,omitempty"`
	// Finalize is called instead of both while a parent is being deleted. Absent: outputs stay for the garbage
	// collector.
	Finalize *MapHook `json:"finalize,omitempty"`
	// Customize selects other objects for the requests of hooks, once for each parent.
	Customize *MapHook `json:"customize,omitempty"`
}

// Versions of hooks.
const (
	// HookV1 names objects by name, with their namespace if the parent has none, and leaves out objects
	// outside of a namespaced parent's namespace.
	HookV1 = "v1"
	// HookV2 names objects by namespace and name, leaves out none, and has more fields.
	HookV2 = "v2"
)

// MapHook is one hook: CEL, a function or a webhook. One that is none of these counts as absent.
type MapHook struct {
	// Version is v1, the default, or v2.
	// +kubebuilder:validation:MaxLength=8
	Version string `json:"version,omitempty"`
	// CEL is an expression.
	CEL *CELHook `json:"cel,omitempty"`
	// Function is a KRM function.
	Function *FunctionHook `json:"function,omitempty"`
	// Webhook is called over HTTP by a live controller. Without a network, HookRecordings have the responses.
	Webhook *Webhook `json:"webhook,omitempty"`
}

// CELHook is an expression over the fields of a request: controller, parent, mapKey, input, outputs,
// related. Its value is the list of outputs, or a response like that of a webhook.
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

// Webhook is the URL and settings of a webhook: POST, JSON, status 200.
type Webhook struct {
	// URL is the whole address; with it, service and path are ignored.
	// +kubebuilder:validation:MaxLength=4096
	URL string `json:"url,omitempty"`
	// Service is a Service of the cluster.
	Service *WebhookService `json:"service,omitempty"`
	// Path is the path at the service.
	// +kubebuilder:validation:MaxLength=4096
	Path string `json:"path,omitempty"`
	// Timeout is how long to wait for a response. Defaults to 10s, also if it is not positive.
	Timeout *metav1.Duration `json:"timeout,omitempty"`
	// ETag enables a cache of responses, which are requested again with their ETag.
	ETag *WebhookETag `json:"etag,omitempty"`
	// ResponseUnMarshallMode is loose or strict. Strict refuses unknown and duplicate fields.
	// Defaults to loose for version v1 and strict for v2.
	// +kubebuilder:validation:MaxLength=8
	ResponseUnMarshallMode string `json:"responseUnMarshallMode,omitempty"`
	// WebhookConnection is the connection settings. If any of it is given, entries of spec.endpointConfigs are
	// ignored.
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

// WebhookETag is the settings of the cache of responses.
type WebhookETag struct {
	// Enabled enables it.
	Enabled *bool `json:"enabled,omitempty"`
	// CacheTimeoutSeconds is how long a response is kept. Absent or 0: 20 minutes.
	// +kubebuilder:validation:Minimum=0
	CacheTimeoutSeconds *int32 `json:"cacheTimeoutSeconds,omitempty"`
	// CacheCleanupSeconds is the interval at which old ones are removed. Absent or 0: 10 minutes.
	// +kubebuilder:validation:Minimum=0
	CacheCleanupSeconds *int32 `json:"cacheCleanupSeconds,omitempty"`
}
