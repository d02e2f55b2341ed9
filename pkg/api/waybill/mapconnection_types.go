package waybill

// EndpointConfig is the connection settings of one host.
type EndpointConfig struct {
	// Host is the host of a URL, with its port unless that is the default of the URL's scheme. Case does not
	// matter.
	// +kubebuilder:validation:MaxLength=261
	Host string `json:"host"`
	// WebhookConnection is the settings.
	WebhookConnection `json:",inline"`
}

// WebhookConnection is the certificate authorities for a server, and the credentials of the client. Secrets
// and ConfigMaps are read when the MapController changes, not when they change.
type WebhookConnection struct {
	// CABundle are the trusted certificate authorities. Absent: those of the system.
	CABundle *WebhookCABundle `json:"caBundle,omitempty"`
	// ClientTLS is the client certificate.
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

// WebhookClientTLS is a certificate with its key, as in a Secret of type kubernetes.io/tls.
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
	// SecretRef is the credentials after the scheme.
	SecretRef WebhookSecretKey `json:"secretRef"`
}

// WebhookSecretKey is a key of a Secret.
type WebhookSecretKey struct {
	WebhookRef `json:",inline"`
	// Key must exist. Space around its value is ignored.
	// +kubebuilder:validation:MaxLength=253
	Key string `json:"key"`
}

// WebhookBasicAuth is a user and a password, as in a Secret of type kubernetes.io/basic-auth. Space
// around them is ignored.
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
