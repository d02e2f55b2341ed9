package waybill

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// BackendTable describes the HTTP API of a backend for Translations: for each kind of resource its paths,
// its media type and the meaning of its status codes. Addresses and credentials are not part of it.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:categories=waybill
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`,description="Time since the object was created."
type BackendTable struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata"`

	// Spec describes the API. It may change at any time; resources that were pushed before are identified by
	// kind, id and parent.
	Spec BackendTableSpec `json:"spec"`
}

// BackendTableList is a list of BackendTables.
//
// +kubebuilder:object:root=true
type BackendTableList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []BackendTable `json:"items"`
}

// BackendTableSpec describes an HTTP API.
type BackendTableSpec struct {
	// Auth is the authentication of requests. Absent: none.
	Auth BackendAuth `json:"auth,omitzero"`
	// Statuses are the meanings of status codes, unless a kind has its own.
	Statuses BackendStatuses `json:"statuses,omitzero"`
	// Kinds are the types of resources, 1 to 500, each name once.
	// +kubebuilder:validation:MaxItems=500
	Kinds []BackendKind `json:"kinds"`
}

// Types of BackendAuth.
const (
	// AuthNone sends nothing.
	AuthNone = "None"
	// AuthBasic sends user name and password with every request.
	AuthBasic = "Basic"
	// AuthBearer sends a token with every request.
	AuthBearer = "Bearer"
	// AuthLogin sends nothing at first. After a 401 it logs in, and sends this request again and all later
	// ones with the token.
	AuthLogin = "Login"
)

// BackendAuth is the authentication of requests.
type BackendAuth struct {
	// Type is None, Basic, Bearer or Login. Defaults to None.
	// +kubebuilder:validation:MaxLength=16
	Type string `json:"type,omitempty"`
	// Login describes type Login, and is absent for the others.
	Login *BackendLogin `json:"login,omitempty"`
}

// BackendLogin is the request for a token: a POST without body, with user name and password as in type
// Basic. The response is a JSON object.
type BackendLogin struct {
	// Path is that of the login, below the address of the API.
	// +kubebuilder:validation:MaxLength=512
	Path string `json:"path"`
	// ProjectHeader is the header that names the project when logging in. Absent: none does.
	// +kubebuilder:validation:MaxLength=64
	ProjectHeader string `json:"projectHeader,omitempty"`
	// TokenField is the field of the response with the token.
	// +kubebuilder:validation:MaxLength=256
	TokenField string `json:"tokenField"`
	// TokenHeader is the header with the token.
	// +kubebuilder:validation:MaxLength=64
	TokenHeader string `json:"tokenHeader"`
}

// BackendStatuses are the status codes, 400 to 599, with a special meaning. A list that is
// absent has its default, an empty one has no code.
type BackendStatuses struct {
	// Exists answers the creation of a resource that exists. Defaults to 409.
	// +kubebuilder:validation:MaxItems=20
	Exists []int32 `json:"exists,omitzero"`
	// Missing answers a creation or replacement that names a resource that does not exist (yet).
	// Defaults to 404 on creation.
	// +kubebuilder:validation:MaxItems=20
	Missing []int32 `json:"missing,omitzero"`
	// Gone answers a replacement, reading or deletion of a missing resource. Defaults to 404 and 410.
	// +kubebuilder:validation:MaxItems=20
	Gone []int32 `json:"gone,omitzero"`
	// Unchanged answers a replacement without a change. Defaults to none.
	// +kubebuilder:validation:MaxItems=20
	Unchanged []int32 `json:"unchanged,omitzero"`
}

// BackendKind is one type of resource.
//
// Paths begin with a slash and are below the address of the API. In them {parent} stands for the id
// of the resource that holds this one and {id} for its own, both escaped. A kind with {parent} in
// a path other than that of creation is identified by id and parent, any other by id alone.
type BackendKind struct {
	// Kind is the name of the type in Translations: a letter A to Z, then up to 62 letters and digits.
	// +kubebuilder:validation:MaxLength=63
	Kind string `json:"kind"`
	// MediaType is the Content-Type of bodies. Defaults to application/json.
	// +kubebuilder:validation:MaxLength=256
	MediaType string `json:"mediaType,omitempty"`
	// ID makes the id of fields of the body: {name} is a field, {spec.name} one inside another,
	// {parent} the parent, {mac:dashes} a field with dashes for colons, {name:lower} one in lower
	// case. Fields are strings or whole numbers. Defaults to {id}.
	// +kubebuilder:validation:MaxLength=512
	ID string `json:"id,omitempty"`
	// Create are the paths for POST, 1 to 20. The first whose condition holds is used; they have
	// {parent} and no {id}.
	// +kubebuilder:validation:MaxItems=20
	Create []BackendCreate `json:"create"`
	// Replace is the path for PUT. Absent: a resource cannot change, only be deleted and created again.
	// +kubebuilder:validation:MaxLength=512
	Replace string `json:"replace,omitempty"`
	// Read is the path for GET. Absent: it cannot be read.
	// +kubebuilder:validation:MaxLength=512
	Read string `json:"read,omitempty"`
	// Delete is the path for DELETE.
	// +kubebuilder:validation:MaxLength=512
	Delete string `json:"delete"`
	// Parents are the kinds that the parent of this one may have, which are identified by id alone. Parents
	// are created first, and deleted with their resources. Absent: parents are not managed here.
	// +kubebuilder:validation:MaxItems=50
	Parents []string `json:"parents,omitempty"`
	// References are the fields of the body that name other resources.
	// +kubebuilder:validation:MaxItems=50
	References []BackendReference `json:"references,omitempty"`
	// Ordered: the order of creation of the resources of one parent matters. When one of a Translation is
	// created, those after it in the list are created again.
	Ordered bool `json:"ordered,omitempty"`
	// Statuses are the meanings of status codes for this kind; an absent list is that of the table.
	Statuses BackendStatuses `json:"statuses,omitzero"`
}

// BackendCreate is a path for POST.
type BackendCreate struct {
	// Path is the path, which may have {parent}.
	// +kubebuilder:validation:MaxLength=512
	Path string `json:"path"`
	// When is the condition for the path. Absent: always.
	When *BackendWhen `json:"when,omitempty"`
}

// BackendWhen holds for a body in which a field has a value.
type BackendWhen struct {
	// Field is a field of the body, or with dots one inside another.
	// +kubebuilder:validation:MaxLength=256
	Field string `json:"field"`
	// Value is its text.
	// +kubebuilder:validation:MaxLength=256
	Value string `json:"value"`
}

// BackendReference is a field of a body that holds the id of another resource.
type BackendReference struct {
	// Field is a field of the body, or with dots one inside another.
	// +kubebuilder:validation:MaxLength=256
	Field string `json:"field"`
	// Kinds are the kinds it may name, which are identified by id alone.
	// +kubebuilder:validation:MaxItems=50
	Kinds []string `json:"kinds"`
	// Blocks: the backend refuses to delete a named resource as long as this one names it. When the named one
	// must be deleted and created again, this one is deleted before and created after that, even if it could
	// be replaced. Absent: the named one can be deleted, and this one is sent again.
	Blocks bool `json:"blocks,omitempty"`
}
