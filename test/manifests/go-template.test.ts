import { NotComputed, TemplateFault } from '../../src/manifests/go-template/faults';
import { renderName, renderTemplate } from '../../src/manifests/go-template/go-template';

const DATA: unknown = JSON.parse('{"s": "hello World", "e": "", "n": 3, "f": 2.5, "big": 1000000, "t": true, "no": false, "l": ["a", "b", "c"], "nums": [1, 2, 3], "m": {"x": "1", "y": {"z": "deep"}}, "objs": [{"name": "a", "v": 1}, {"name": "b", "v": 2}], "ver": "v1.34.1", "verb": "v1.35.0-rc.1+k3s1", "nul": null, "uni": "äöü日", "html": "<a & b>", "kv": "a=1,b=2"}');

/** Templates, and what Go 1.26 with sprig 3.3.0 makes of them. */
const RENDERED: readonly (readonly [template: string, result: string])[] = [
  ['{{ .s }}|{{ .missing }}|{{ .missing.deep }}|{{ .nul }}', 'hello World|<no value>|<no value>|<no value>'],
  ['{{ ne .missing "" }} {{ eq .missing "x" }} {{ ne .e "" }}', 'true false false'],
  [
    '{{ .n }} {{ .f }} {{ .big }} {{ .t }} {{ .l }} {{ .m }} {{ .objs }}',
    '3 2.5 1e+06 true [a b c] map[x:1 y:map[z:deep]] [map[name:a v:1] map[name:b v:2]]',
  ],
  ['{{ eq .n 3.0 }}', 'true'],
  ['{{ eq (int .n) 3 }} {{ gt (int .n) 2 }} {{ .n | int | eq 3 }}', 'true true true'],
  ['{{ if semverCompare "< v1.25-0" .ver }}beta1{{ end }}x', 'x'],
  [
    '{{ semverCompare ">=1.34.0" .ver }} {{ semverCompare "^1.34" .ver }} {{ semverCompare "~1.34.0" '
    + '.ver }} {{ semverCompare ">= 1.35.0-0" .verb }} {{ semverCompare ">= 1.35.0" .verb }} {{ '
    + 'semverCompare "1.x" .ver }} {{ semverCompare "1.33 - 1.34" .ver }} {{ semverCompare ">1.34" .ver }} '
    + '{{ semverCompare "<=1.34" .ver }} {{ semverCompare "!=1.34" .ver }} {{semverCompare "*" .ver}} {{ '
    + 'semverCompare "^0.3.1" "0.3.9"}} {{semverCompare "^0.0.3" "0.0.4"}} {{ semverCompare "=1.34.1" '
    + '.ver}} {{ semverCompare ">1.34.0 <1.35.0 || 2.x" .ver }} {{ semverCompare "~1" "1.9.9" }} {{ '
    + 'semverCompare "^0" "0.5.0"}} {{ semverCompare "^0.0" "0.0.7"}}',
    'true true true true false true true false true false true true false true true true true true',
  ],
  [
    '{{ (semver .ver).Minor }} {{ (semver .verb).Prerelease }} {{ semver .verb }} {{ $v := semver .ver '
    + '}}{{ if ge $v.Minor 30 }}yes{{ end }}',
    '34 rc.1 1.35.0-rc.1+k3s1 yes',
  ],
  ['{{- range $i, $x := .l }}{{ if $i }},{{ end }}{{ $x }}{{ end -}}', 'a,b,c'],
  ['{{ range .nul }}x{{ else }}none{{ end }}{{ range .objs }}[{{ .name }}={{ .v }} {{ $.s }}]{{ end }}', 'none[a=1 hello World][b=2 hello World]'],
  ['{{ with .m.y }}{{ .z }}{{ end }}{{ with .missing }}a{{ else with .e }}b{{ else }}c{{ end }}', 'deepc'],
  ['{{ $x := 1 }}{{ range .l }}{{ $x = add $x 1 }}{{ end }}{{ $x }}', '4'],
  ['{{ define "t" }}<{{ . }}>{{ end }}{{ template "t" .s }}{{ block "b" .n }}({{ . }}){{ end }}', '<hello World>(3)'],
  ['{{ printf "%s-%d-%v-%q-%5s|%-5s|%05d" "a" 3 .f "q" "r" "l" 42 }}', 'a-3-2.5-"q"-    r|l    |00042'],
  [
    '{{ printf "%d" .n }} {{ printf "%s" .n }} {{ printf "%.1f" .f }} {{ printf "%x" "hi" }} {{ printf '
    + '"%s" }} {{ printf "a" 1 }}',
    '%!d(float64=3) %!s(float64=3) 2.5 6869 %!s(MISSING) a%!(EXTRA int=1)',
  ],
  ['{{ .s | upper | replace "L" "_" | quote }} {{ .s | squote }} {{ quote .nul .n }}', '"HE__O WOR_D" \'hello World\' "3"'],
  [
    '{{ default "d" .e }} {{ default "d" .s }} {{ .missing | default "z" }} {{ coalesce .e .nul .s }} {{ '
    + 'ternary "a" "b" .t }} {{ empty .l }}',
    'd hello World z hello World a false',
  ],
  [
    '{{ join "," .l }} {{ .l | first }} {{ .l | last }} {{ rest .l }} {{ initial .l }} {{ has "a" .l }} '
    + '{{ without .l "a" }} {{ append .l "d" }} {{ uniq (list 1 1 2) }}',
    'a,b,c a c [b c] [a b] true [b c] [a b c d] [1 2]',
  ],
  [
    '{{ add 1 .n "4" }} {{ sub 5 2 }} {{ mul 2 3 4 }} {{ div 7 2 }} {{ mod 7 2 }} {{ max 1 5 3 }} {{ min '
    + '4 2 }} {{ ceil .f }} {{ floor .f }} {{ round 2.567 2 }} {{ add1 4 }}',
    '8 3 24 3 1 5 2 3 2 2.57 5',
  ],
  ['{{ until 3 }} {{ untilStep 0 10 3 }} {{ seq 1 3 }} {{ seq 3 }} {{ seq 5 -2 1 }}', '[0 1 2] [0 3 6 9] 1 2 3 1 2 3 5 3 1'],
  [
    '{{ toJson .m }} {{ toJson .html }} {{ toRawJson .html }} {{ .m | toPrettyJson }} {{ (fromJson '
    + '"{\\"a\\":1}").a }}',
    '{"x":"1","y":{"z":"deep"}} "\\u003ca \\u0026 b\\u003e" "<a & b>" {\n  "x": "1",\n  "y": {\n    "z": '
    + '"deep"\n  }\n} 1',
  ],
  [
    '{{ dict "a" 1 "b" .s }} {{ get .m "x" }} {{ hasKey .m "q" }} {{ keys .m | sortAlpha }} {{ pick .m '
    + '"x" }} {{ omit .m "x" }} {{ dig "y" "z" "no" .m }} {{ dig "q" "z" "no" .m }}',
    'map[a:1 b:hello World] 1 false [x y] map[x:1] map[y:map[z:deep]] deep no',
  ],
  ['{{ $d := dict "a" 1 }}{{ $_ := set $d "b" 2 }}{{ $d }} {{ unset $d "a" }}', 'map[a:1 b:2] map[b:2]'],
  ['{{ merge (dict "a" 1) (dict "a" 2 "b" 3) }} {{ mergeOverwrite (dict "a" 1) (dict "a" 2 "b" 3) }}', 'map[a:1 b:3] map[a:2 b:3]'],
  ['{{ indent 2 "a\\nb" }}{{ nindent 4 "c\\nd" }}', '  a\n  b\n    c\n    d'],
  [
    '{{ trunc 3 .s }} {{ trunc -3 .s }} {{ substr 1 3 .s }} {{ trimSuffix "ld" .s }} {{ trimPrefix "he" '
    + '.s }} {{ trimAll "hd" .s }} {{ contains "lo" .s }} {{ hasPrefix "he" .s }} {{ repeat 3 "ab" }} {{ '
    + 'abbrev 6 .s }} {{ title "foo bar-baz" }} {{ initials "foo bar" }} {{ untitle "Foo Bar" }} {{ '
    + 'nospace "a b" }} {{ trim "  a " }}',
    'hel rld el hello Wor llo World ello Worl true true ababab hel... Foo Bar-Baz fb foo bar ab a',
  ],
  ['{{ len .uni }} {{ len .l }} {{ len .m }} {{ index .l 1 }} {{ index .m "y" "z" }} {{ index .m "nope" }}', '9 3 2 b deep <no value>'],
  [
    '{{ .l | len | printf "%d items" }} {{ and .t .s }} {{ and .no .s }} {{ or .e .s }} {{ not .t }} {{ '
    + 'or .no 0 }}',
    '3 items hello World false hello World false 0',
  ],
  ['{{ lt 1 2 }} {{ le 2 2 }} {{ gt "b" "a" }} {{ ge 1.5 2.5 }} {{ eq "a" "b" "a" }}', 'true true true false true'],
  [
    '{{ b64enc .s }} {{ b64dec "aGk=" }} {{ sha256sum "a" }} {{ sha1sum "a" }}',
    'aGVsbG8gV29ybGQ= hi ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb '
    + '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8',
  ],
  [
    '{{ regexMatch "^v[0-9.]+$" .ver }} {{ regexFind "[0-9]+" .ver }} {{ regexReplaceAll '
    + '"v([0-9]+)\\\\.([0-9]+)" .ver "${2}-${1}" }} {{ regexFindAll "[0-9]" .ver -1 }} {{ '
    + 'regexReplaceAllLiteral "1" .ver "$1" }} {{ regexQuoteMeta "a.b" }}',
    'true 1 34-1.1 [1 3 4 1] v$1.34.$1 a\\.b',
  ],
  [
    '{{ split "," .kv }} {{ (split "." .ver)._1 }} {{ splitList "," .kv }} {{ splitn "," 1 .kv }}',
    'map[_0:a=1 _1:b=2] 34 [a=1 b=2] map[_0:a=1,b=2]',
  ],
  ['{{/* comment */}}a{{- /* c */ -}} b', 'ab'],
  ['{{ "a" }}{{ `raw\\n` }}{{ \'a\' }}{{ 0x1F }}{{ 1_000 }}{{ 1e3 }}{{ -5 }}{{ 3.0 }}', 'araw\\n973110001000-53'],
  [
    '{{ typeOf .n }} {{ typeOf 1 }} {{ kindOf .l }} {{ kindIs "map" .m }} {{ typeOf .nul }} {{ typeIs '
    + '"string" .s }}',
    'float64 int slice true <nil> true',
  ],
  [
    '{{ int "010" }} {{ int "0x10" }} {{ int "3.7" }} {{ int 3.7 }} {{ int .t }} {{ float64 "1.5" }} {{ '
    + 'atoi "12" }} {{ int64 "x" }} {{ toString .n }} {{ toString .big }} {{ int .big }}',
    '8 16 0 3 1 1.5 12 0 3 1e+06 1000000',
  ],
  [
    '{{ range $k, $v := .m }}{{ $k }}:{{ $v }};{{ end }}{{ range 3 }}{{ . }}{{ end }}{{ range $i := 2 '
    + '}}{{ $i }}{{ end }}',
    'x:1;y:map[z:deep];01201',
  ],
  [
    '{{ range .l }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}{{ range .l }}{{ if eq . "b" '
    + '}}{{ break }}{{ end }}{{ . }}{{ end }}',
    'aca',
  ],
  ['{{ print "a" 1 2 "b" }} {{ println "x" 1 }}{{ html "<a>" }} {{ urlquery "a b&c" }}', 'a1 2b x 1\n&lt;a&gt; a+b%26c'],
  ['{{ cat "a" 1 .nul "b" }} {{ plural "one" "many" 1 }} {{ list 1 "a" nil }}', 'a 1 b one [1 a <nil>]'],
  [
    '{{ slice .l 1 2 }} {{ concat .l (list "z") }} {{ reverse .l }} {{ compact (list "" "a") }} {{ chunk '
    + '2 .l }} {{ pluck "name" (index .objs 0) (index .objs 1) }} {{ values (dict "a" 1) }}',
    '[b] [a b c z] [c b a] [a] [[a b] [c]] [a b] [1]',
  ],
  ['a{{ if eq .s "x" }}1{{ else if eq .s "hello World" }}2{{ else }}3{{ end }}b', 'a2b'],
  [
    '{{ .t | toString }} {{ (list "a" "b") | join "-" }} {{ .objs | toJson }} {{ trunc 5 .uni }}',
    'true a-b [{"name":"a","v":1},{"name":"b","v":2}] äö�',
  ],
  ['{{ with $x := .s }}{{ $x }}{{ end }}{{ if $y := .n }}{{ $y }}{{ end }}', 'hello World3'],
  ['{{ deepEqual .l (list "a" "b" "c") }} {{ all .t .s }} {{ any .no .e }}', 'true true false'],
  ['{{ (.m).x }} {{ (index .objs 1).name }} {{ .m.y.z | upper }}', '1 b DEEP'],
];

test.each(RENDERED)('%s', (template, result) => {
  expect(renderTemplate(template, DATA)).toBe(result);
});

/** Templates that Go refuses. */
const REFUSED: readonly string[] = [
  '{{ eq .n 3 }}',
  '{{ replace "+" "_" .missing }}',
  '{{ replace "+" "_" .n }}',
  '{{ div 1 0 }}',
  '{{ index .l 5 }}',
  '{{ .s.x }}',
  '{{ .s | nofunc }}',
  '{{ if }}x{{ end }}',
  '{{ if .t }}x',
  '{{ end }}',
  '{{ lt .n 4 }}',
  '{{ fail "nope" }}',
  '{{ nil }}',
  '{{ $undef }}',
  '{{ .l.x }}',
  '{{template "nope"}}',
  '{{ .t. }}',
];

test.each(REFUSED)('Go refuses %s', (template) => {
  expect(() => renderTemplate(template, DATA)).toThrow(TemplateFault);
});

/** Templates that would take hours, or all memory. */
const HOSTILE: readonly string[] = [
  '{{ range until 100000 }}{{ range until 100000 }}x{{ end }}{{ end }}',
  '{{ repeat 1000000000 "x" }}',
  '{{ range 1000000000 }}{{ end }}',
  '{{ indent 1000000000 "a" }}',
  '{{ printf "%1000000000d" 1 }}',
  '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
  '{{ $x := list 1 }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ toJson $x }}',
  '{{ $x := "a" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}{{ $x }}',
  '{{ $d := dict }}{{ set $d "a" $d }}',
  '{{ join (repeat 100000 "x") (until 10000) }}',
  '{{ fromJson (printf "%s%s" (repeat 50000 "[") (repeat 50000 "]")) }}',
  '{{ $x := repeat 1000000 "x" }}{{ range until 10000 }}{{ $y := upper $x }}{{ end }}',
  '{{ $x := list }}{{ range until 200 }}{{ $x = append $x (list .) }}{{ end }}{{ uniq $x }}',
];

test.each(HOSTILE)('the result of %s is not computed', (template) => {
  expect(() => renderTemplate(template, DATA)).toThrow(NotComputed);
});

test.each(['{{ genCA "a" 1 }}', '{{ randInt 1 9 }}', '{{ camelcase "a_b" }}'])('the result of %s is not known', (template) => {
  expect(() => renderTemplate(template, DATA)).toThrow(/^the result of its function \w+ is not known here$/);
});

test('nesting without end is refused', () => {
  for (const part of ['{{ if true }}', `{{ ${'('.repeat(5000)}`]) expect(() => renderTemplate(part.repeat(5000), DATA)).toThrow(TemplateFault);
});

test('a template changes no data of others', () => {
  const data = { map: {} };
  renderTemplate('{{ set .map "a" 1 }}', data);
  expect(data).toEqual({ map: {} });
});

test('names have no functions of sprig, and no missing fields', () => {
  expect(renderName('{{ .cluster.name }}-{{ .random }}', { cluster: { name: 'acme' }, random: 'x' })).toBe('acme-x');
  expect(() => renderName('{{ .cluster.nam }}', { cluster: { name: 'acme' } })).toThrow('map has no entry for key "nam"');
  expect(() => renderName('{{ .cluster.name | upper }}', { cluster: { name: 'acme' } })).toThrow('function "upper" is not defined');
});
