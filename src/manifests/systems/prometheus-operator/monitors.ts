import { ManifestObject, nameOf, namespaceOf } from '../../objects/manifest-object';
import { documents, replaced } from '../../rules/example-text';
import { isEmptySelector, labelsIn, SelectedObjects, selects } from '../../rules/label-selectors';
import { Lookup, ManifestIndex } from '../../rules/manifest-index';
import { ManifestRule } from '../../rules/manifest-rule';
import { fieldAt, Fields, isFields, objectsAt, stringAt, stringsAt } from '../../values/fields';

/** Lets Prometheus read metrics of Services. */
export const SERVICE_MONITOR = 'monitoring.coreos.com/ServiceMonitor';

const TEXT = `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  endpoints: [{port: metrics}]
`;
const SERVICE_TEXT = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  selector: {app: web, component: server}
  ports: [{name: metrics, port: 9090}]
`;

const SERVICES = new Lookup(['/Service'], (service) => [namespaceOf(service)]);
const BY_LABELS = new SelectedObjects((service) => labelsOf(service));

const selected: ManifestRule = {
  id: 'TC-TRAP-PROMETHEUS-OPERATOR-LABELS',
  title: 'A ServiceMonitor must select labels of Services, not those by which a Service selects its pods: nothing is scraped otherwise.',
  source: 'prometheus-operator/prometheus-operator pkg/apis/monitoring/v1/servicemonitor_types.go (Selector), pkg/prometheus/promcfg.go (generateServiceMonitorConfig)',
  kinds: [SERVICE_MONITOR],
  trap: true,
  example: replaced(documents(TEXT, SERVICE_TEXT), 'matchLabels: {app: web}', 'matchLabels: {app: web, component: server}'),
  check: (object, index) => {
    const selector = fieldAt(object, 'spec', 'selector');
    const services = servicesOf(object, index);
    if (!services || !isFields(selector) || isEmptySelector(selector) || BY_LABELS.of(services, selector).length > 0) return [];
    // Services of one workload select the same pods: webhooks, for example, are not scraped.
    const named = objectsAt(object, 'spec', 'endpoints').flatMap(([endpoint]) => stringAt(endpoint, 'port') ?? []);
    const scraped = services.filter((service) => named.length === 0 || objectsAt(service, 'spec', 'ports').some(([entry]) => named.includes(stringAt(entry, 'name') ?? '')));
    const meant = scraped.find((service) => {
      const pods = fieldAt(service, 'spec', 'selector');
      return isFields(pods) && selects(selector, { ...labelsOf(service), ...pods });
    }) ?? services.find((service) => namespaceOf(object) !== undefined && nameOf(service) === nameOf(object));
    const [label] = meant ? labelsIn(selector).filter(([key, value]) => labelsOf(meant)[key] !== value) : [];
    return meant === undefined || label === undefined ? [] : [{
      path: ['spec', 'selector'], message: `the Service "${nameOf(meant)}" has no label ${label.join(': ')}${fieldAt(meant, 'spec', 'selector', label[0]) === label[1] ? ', by which it selects pods' : ''}`, fix: `leave ${label[0]} out, or add it to the labels of the Service`,
    }];
  },
};

const port: ManifestRule = {
  id: 'TC-TRAP-PROMETHEUS-OPERATOR-PORT',
  title: 'The port of a ServiceMonitor must be the name of a port of the Services that it selects: nothing is scraped otherwise.',
  source: 'prometheus-operator/prometheus-operator pkg/apis/monitoring/v1/types.go (Endpoint), pkg/prometheus/promcfg.go (generateServiceMonitorConfig)',
  kinds: [SERVICE_MONITOR],
  trap: true,
  example: replaced(documents(TEXT, SERVICE_TEXT), 'port: metrics}', 'port: http-metrics}'),
  check: (object, index) => {
    const selector = fieldAt(object, 'spec', 'selector');
    const services = isFields(selector) && !isEmptySelector(selector) ? BY_LABELS.of(servicesOf(object, index) ?? [], selector) : [];
    const names = new Set(services.flatMap((service) => objectsAt(service, 'spec', 'ports').flatMap(([entry]) => stringAt(entry, 'name') ?? [])));
    return names.size === 0 ? [] : objectsAt(object, 'spec', 'endpoints').flatMap(([endpoint, at]) => {
      const name = stringAt(endpoint, 'port');
      return name === undefined || name === '' || names.has(name) ? [] : [{
        path: ['spec', 'endpoints', at, 'port'],
        message: `the Services that are selected (${services.map((one) => nameOf(one)).join(', ')}) have no port "${name}"`,
        accepted: [...names].join(', '),
        fix: 'write the name of a port of the Service',
      }];
    });
  },
};

/** The Services of the namespaces that a monitor looks at; undefined for all namespaces. */
function servicesOf(monitor: ManifestObject, index: ManifestIndex): readonly ManifestObject[] | undefined {
  if (fieldAt(monitor, 'spec', 'namespaceSelector', 'any') === true) return undefined;
  const named = stringsAt(monitor, 'spec', 'namespaceSelector', 'matchNames').map(([name]) => name);
  // The same list each time is sorted by labels once.
  return named.length === 0 ? SERVICES.find(index, namespaceOf(monitor)) : named.flatMap((namespace) => SERVICES.find(index, namespace));
}

function labelsOf(service: ManifestObject): Fields {
  const labels = fieldAt(service, 'metadata', 'labels');
  return isFields(labels) ? labels : {};
}

/** Rules over monitors and the Services that they select. */
export const MONITORS: readonly ManifestRule[] = [selected, port];
