import { PREFIX } from './annotation-names';
import { replaced } from '../../rules/example-text';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, isFields, objectsAt, stringAt } from '../../values/fields';

const INGRESS = 'networking.k8s.io/Ingress';
const REWRITE = `${PREFIX}rewrite-target`;
const OLD_PREFIX = 'ingress.kubernetes.io/';

const TEXT = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  namespace: shop
  annotations:
    ${REWRITE}: /$2
spec:
  ingressClassName: nginx
  rules:
    - host: web.example.com
      http:
        paths:
          - {path: /shop(/|$)(.*), pathType: ImplementationSpecific, backend: {service: {name: web, port: {number: 80}}}}
`;

const rewrite: ManifestRule = {
  id: 'TC-TRAP-INGRESS-NGINX-REWRITE',
  title: 'Groups that ingress-nginx writes into a new path must be captured by each path of the Ingress: all requests go to one path otherwise.',
  source: 'kubernetes/ingress-nginx docs/examples/rewrite/README.md, internal/ingress/controller/template/template.go (buildProxyPass), controller-v1.14.0',
  kinds: [INGRESS],
  trap: true,
  example: replaced(TEXT, 'path: /shop(/|$)(.*)', 'path: /shop'),
  check: (object) => {
    const target = fieldAt(object, 'metadata', 'annotations', REWRITE);
    const groups = typeof target === 'string' ? [...target.matchAll(/\$(\d)/g)].map(([, number]) => Number(number)) : [];
    const most = Math.max(0, ...groups);
    const paths = objectsAt(object, 'spec', 'rules').flatMap(([rule, at]) => objectsAt(rule, 'http', 'paths').map(([path, number]) => ({ text: stringAt(path, 'path') ?? '', at, number })));
    return paths.filter(({ text }) => captured(text) < most && !/\{\{|\$\{/.test(text)).map(({ text, at, number }) => ({
      path: ['spec', 'rules', at, 'http', 'paths', number, 'path'],
      message: `${JSON.stringify(text)} captures ${captured(text)} groups, and ${REWRITE} writes $${most}`,
      fix: 'write groups in parentheses, such as /(.*), or change the annotation',
    }));
  },
};

/** Number of groups that a regular expression captures: those with names, too. */
function captured(expression: string): number {
  return expression.replace(/\\./g, '').match(/\((?!\?(?!P?<\w))/g)?.length ?? 0;
}

const prefix: ManifestRule = {
  id: 'TC-TRAP-INGRESS-NGINX-PREFIX',
  title: `Annotations of Ingresses of the class nginx must have the prefix ${PREFIX}: others are ignored.`,
  source: 'kubernetes/ingress-nginx internal/ingress/annotations/parser/main.go (DefaultAnnotationsPrefix), controller-v1.14.0',
  kinds: [INGRESS],
  trap: true,
  example: replaced(TEXT, REWRITE, 'ingress.kubernetes.io/rewrite-target'),
  check: (object) => {
    const annotations = fieldAt(object, 'metadata', 'annotations');
    const names = Object.keys(isFields(annotations) ? annotations : {});
    const ingressClass = stringAt(object, 'spec', 'ingressClassName') ?? stringAt(annotations, 'kubernetes.io/ingress.class');
    return ingressClass !== 'nginx' ? [] : names.filter((name) => name.startsWith(OLD_PREFIX) && !names.includes(renamed(name))).map((name) => ({
      path: ['metadata', 'annotations', name], message: 'ingress-nginx ignores this annotation', fix: `write ${renamed(name)}`,
    }));
  },
};

function renamed(name: string): string {
  return `${PREFIX}${name.slice(OLD_PREFIX.length)}`;
}

/** Rules over annotations. */
export const ANNOTATION_RULES: readonly ManifestRule[] = [rewrite, prefix];
