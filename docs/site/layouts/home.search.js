{{- /* The index of the search: the title and address of every page, and of every section the number of its page, its anchor, heading and text.
  Pages that docs/README.md names are first. */ -}}
{{- $pages := slice . (site.GetPage "/docs") -}}
{{- range partialCached "groups.html" site }}{{ $pages = $pages | append .pages }}{{ end -}}
{{- range site.Pages }}{{ if .File }}{{ $pages = $pages | append . }}{{ end }}{{ end -}}
{{- $pages = uniq $pages -}}
{{- $json := dict "noHTMLEscape" true -}}
searchIndex({pages: [
{{ range $pages -}}
  {{ slice (partialCached "title.html" . .Path) (partialCached "address.html" . .Path | strings.TrimPrefix "/") | jsonify $json }},
{{ end }}], sections: [
{{ range $number, $page := $pages -}}
  {{- range split (replaceRE `<h[1-6] id="` "\x00$0" .Content) "\x00" -}}
    {{- $parts := index (findRESubmatch `(?s)^(?:<h[1-6] id="([^"]+)">(.*?)<a class="anchor".*?</a></h[1-6]>)?(.*)$` . 1) 0 -}}
    {{- $heading := index $parts 2 | plainify | htmlUnescape -}}
    {{- $text := trim (replaceRE `\s+` " " (index $parts 3 | plainify | htmlUnescape)) " " -}}
    {{- if or $heading $text -}}
      {{ slice $number (index $parts 1) $heading $text | jsonify $json }},
{{ end -}}
  {{- end -}}
{{- end -}}
]});
