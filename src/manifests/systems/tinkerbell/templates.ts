import { readText } from '../../objects/manifest-text';
import { ManifestRule, replaced, stringAt } from '../../rules/contract';

const TEXT = `apiVersion: tinkerbell.org/v1alpha1
kind: Template
metadata: {name: acme, namespace: tink-system}
spec:
  data: |
    version: "0.1"
    name: acme
    global_timeout: 1800
    tasks:
      - name: install
        worker: "{{.device_1}}"
        actions:
          - name: reboot
            image: ghcr.io/jacobweinstock/waitdaemon:latest
            timeout: 90
`;

/** Parts of a Go template that choose or repeat text: it is not known then which text they leave. */
const CONTROL = /\{\{-?\s*(?:if|else|end|range|with|define|block|template|include)\b/;

const SYNTAX: ManifestRule = {
  id: 'TC-TRAP-TINKERBELL-TEMPLATE',
  title: 'The text of a Template of Tinkerbell must be YAML: its workflows never start otherwise.',
  source: 'tinkerbell/tink internal/deprecated/workflow/template_validator.go (parse), issue 671',
  kinds: ['tinkerbell.org/Template'],
  trap: true,
  example: replaced(TEXT, '"{{.device_1}}"', '"{{.device_1}}'),
  check: (object) => {
    const text = stringAt(object, 'spec', 'data');
    if (text === undefined || CONTROL.test(text) || /\$\{|<%|\{%/.test(text)) return [];
    const [fault] = readText(text.replace(/\{\{[^{}]*\}\}/g, 'x')).faults;
    return fault === undefined ? [] : [{
      path: ['spec', 'data'], message: `${fault.line === undefined ? '' : `line ${fault.line} `}${fault.message}`, fix: 'correct the text of the template',
    }];
  },
};

/** Rules over templates of workflows. */
export const WORKFLOW_TEMPLATES: readonly ManifestRule[] = [SYNTAX];
