package waybill

// EndpointConfig says how to connect to one host.
type EndpointConfig struct {
	// Host is the host of a URL, with its port unless that is the one of the URL's scheme. Case does not
	// matter.
	// +kubebuilder:validation:MaxLength=261
	Host string `json:"host"`
	// WebhookConnection says how.
	WebhookConnection `json:",inline"`
}

// WebhookConnection says by whose word a server is known, and what it is shown. Secrets and ConfigMaps are
// read when the MapController changes, and not when they do.
type WebhookConnection struct {
	// CABundle are the authorities whose certificates are taken. Absent: the system's.
	CABundle *WebhookCABundle `json:"caBundle,omitempty"`
	// ClientTLS is the certificate that is shown to the server.
	ClientTLS *WebhookClientTLS `json:"clientTLS,omitempty"`
	// Authorization is sent with every request.
	Authorization *WebhookAuthorization `json:"authorization,omitempty"`
	// BasicAuth is a user and a password that are sent with every request; it excludes Authorization.
	BasicAuth *WebhookBasicAuth `json:"basicAuth,omitempty"`
}

// WebhookCABundle is exactly one of three.
type WebhookCABundle struct {
	// Inline is PEM text.
	// +kubebuilder:validation:MaxLength=1048576
	Inline string `json:"inline,omitempty"`
	// SecretRef is a key of a Secret.
	SecretRef *WebhookKeyRef `json:"secretRef,omitempty"`
	// ConfigMapRef is a key of a ConfigMap.
	ConfigMapRef *WebhookKeyRef `json:"configMapRef,omitempty"`
}

// WebhookKeyRef is a key of an object.
type WebhookKeyRef struct {
	WebhookRef `json:",inline"`
	// Key defaults to ca.crt.
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key,omitempty"`
}

// WebhookRef is an object.
type WebhookRef struct {
	// Name is the object's.
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`
	// Namespace is where it is.
	// +kubebuilder:validation:MaxLength=63
	Namespace string `json:"namespace"`
}

// WebhookClientTLS is a certificate with its key, as a Secret of type kubernetes.io/tls has them.
type WebhookClientTLS struct {
	// SecretRef is the Secret.
	SecretRef WebhookRef `json:"secretRef"`
	// CertKey is its key with the certificate in PEM. Defaults to tls.crt.
	// +kubebuilder:validation:MaxLength=253
	CertKey string `json:"certKey,omitempty"`
	// PrivateKeyKey is its key with the private key in PEM. Defaults to tls.key.
	// +kubebuilder:validation:MaxLength=253
	PrivateKeyKey string `json:"privateKeyKey,omitempty"`
}

// WebhookAuthorization is an Authorization header.
type WebhookAuthorization struct {
	// Type is the scheme. Defaults to Bearer. Basic has a field of its own, basicAuth.
	// +kubebuilder:validation:MaxLength=64
	Type string `json:"type,omitempty"`
	// SecretRef is what stands behind the scheme.
	SecretRef WebhookSecretKey `json:"secretRef"`
}

// WebhookSecretKey is a key of a Secret.
type WebhookSecretKey struct {
	WebhookRef `json:",inline"`
	// Key is there, and space around its value does not count.
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// WebhookBasicAuth is a user and a password, as a Secret of type kubernetes.io/basic-auth has them. Space
// around them does not count.
type WebhookBasicAuth struct {
	// SecretRef is the Secret.
	SecretRef WebhookRef `json:"secretRef"`
	// UsernameKey is its key with the user. Defaults to username.
	// +kubebuilder:validation:MaxLength=253
	UsernameKey string `json:"usernameKey,omitempty"`
	// PasswordKey is its key with the password. Defaults to password.
	// +kubebuilder:validation:MaxLength=253
	PasswordKey string `json:"passwordKey,omitempty"`
}
