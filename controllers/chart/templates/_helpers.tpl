{{/* The prefix of all names: the release's, where that says what it is. */}}
{{- define "waybill.fullname" -}}
{{- $name := ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name) -}}
{{- default $name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* The labels by which the pods of this release are selected. */}}
{{- define "waybill.selector" -}}
app.kubernetes.io/name: waybill
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: controller
{{- end -}}


{{- define "waybill.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* The lease that the controller takes by itself, for these namespaces. */}}
{{- define "waybill.ownLease" -}}
{{- append (.Values.namespaces | uniq | sortAlpha) "controller.waybill.dev" | join "." -}}
{{- end -}}

{{/* The lease of the release. The digest of a selector or a shard is not computed here: the flag names another lease. */}}
{{- define "waybill.lease" -}}
{{- $own := include "waybill.ownLease" . -}}
{{- if .Values.lease -}}
{{ .Values.lease }}
{{- else if or .Values.watchLabelSelector .Values.shard (gt (len $own) 200) -}}
{{ include "waybill.fullname" . }}-shard.controller.waybill.dev
{{- else -}}
{{ $own }}
{{- end -}}
{{- end -}}

{{/* The objects of a file of controllers/manifests, with the names and the namespace of this release. */}}
{{- define "waybill.objects" -}}
{{- $root := index . 0 -}}
{{- $text := $root.Files.Get (index . 1) -}}
{{- $text = replace "namespace: waybill-system" (printf "namespace: %s" $root.Release.Namespace) $text -}}
{{- $text = replace "name: waybill-" (printf "name: %s-" (include "waybill.fullname" $root)) $text -}}
{{- $text = replace "[controller.waybill.dev]" (printf "[%s]" (include "waybill.lease" $root)) $text -}}
{{- range $text | splitList "\n---\n" -}}
{{- $object := fromYaml . -}}
{{- if and (eq $object.kind "ServiceAccount") $root.Values.serviceAccount.annotations -}}
{{- $_ := set $object.metadata "annotations" $root.Values.serviceAccount.annotations -}}
{{- end -}}
{{- include "waybill.scoped" (list $root $object) -}}
{{- end -}}
{{- end -}}

{{/* An object, or where the release works in some namespaces, what it is in each of them. */}}
{{- define "waybill.scoped" -}}
{{- $root := index . 0 -}}
{{- $object := index . 1 -}}
{{- $narrowed := and $root.Values.namespaces (eq $object.kind "ClusterRoleBinding") (regexMatch "-(controller|context|secrets|notify-porch)$" $object.metadata.name) -}}
{{- if $narrowed -}}
{{- $_ := set $object "kind" "RoleBinding" -}}
{{- range $root.Values.namespaces | uniq -}}
{{- $_ := set $object.metadata "namespace" . }}
---
{{ toYaml $object }}
{{ end -}}
{{- else }}
---
{{ toYaml $object }}
{{ end -}}
{{- end -}}
