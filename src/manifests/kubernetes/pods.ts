import { containerText, deploymentText, objectText, pair } from './examples';
import { apiValidation, boundsFault, emptyFault, fault, faultIf, labelFault, subdomainFault } from './findings';
import { groupKind } from '../objects/manifest-object';
import { ManifestRule } from '../rules/manifest-rule';
import { POD_KINDS, podOf } from '../rules/pod-objects';
import { LARGEST_INT32 } from '../values/counts';
import { checkDnsSubdomain } from '../values/dns';
import { isFields, isSet, listAt, objectsAt, stringAt, stringsAt } from '../values/fields';
import { allOf } from '../values/finding';
import { parseIp } from '../values/ip-address';
import { checkLabelKey, checkLabelValue, checkQualifiedName } from '../values/labels';

const SOURCE = apiValidation('core');
const MOST_NAME_SERVERS = 3;

/** Fields that name other objects. */
const NAMED: readonly string[] = ['nodeName', 'priorityClassName', 'runtimeClassName', 'serviceAccountName'];

/** Kinds that keep their pods running. */
const KEEPERS: readonly string[] = ['/ReplicationController', 'apps/DaemonSet', 'apps/Deployment', 'apps/ReplicaSet', 'apps/StatefulSet'];

const restart: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-RESTART-POLICY',
  title: 'Pods of long-running workloads must have restartPolicy Always and no deadline; pods of Jobs must have OnFailure or Never.',
  source: `${apiValidation('apps')}, ${apiValidation('batch')} (validateJobSpec)`,
  kinds: POD_KINDS,
  example: pair((fields) => deploymentText('selector:\n  matchLabels: {app: web}', fields), 'restartPolicy: Never', 'restartPolicy: Always'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const policy = stringAt(pod.spec, 'restartPolicy');
    const path = [...pod.specPath, 'restartPolicy'];
    if (KEEPERS.includes(groupKind(object))) {
      return [
        ...(policy === undefined || policy === 'Always' ? [] : [fault(path, `pods of a ${String(object.kind)} are restarted always, and this says ${policy}`, 'leave it out, or run the pods in a Job', 'Always')]),
        ...(isSet(pod.spec, 'activeDeadlineSeconds')
          ? [fault([...pod.specPath, 'activeDeadlineSeconds'], `pods of a ${String(object.kind)} have no deadline`, 'remove it')] : []),
      ];
    }
    if (!groupKind(object).startsWith('batch/')) return [];
    if (policy === undefined || policy === 'Always') {
      return [fault(path, policy === undefined ? 'it is not there, which means Always' : 'pods of a Job are not restarted always', 'write one of them', 'Never, OnFailure')];
    }
    const [job, jobPath] = groupKind(object) === 'batch/CronJob' ? [object, ['spec', 'jobTemplate', 'spec']] : [object, ['spec']];
    return policy !== 'Never' && isSet(job, ...jobPath, 'podFailurePolicy') ? [fault(path, 'a Job with a podFailurePolicy never restarts its pods', 'write Never', 'Never')] : [];
  },
};

const settings: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POD',
  title: 'Host names, node selector, DNS settings and deadlines of a pod must be valid.',
  source: `${SOURCE} (ValidatePodSpec)`,
  kinds: POD_KINDS,
  example: pair((fields) => containerText('', fields), 'dnsPolicy: None\n', 'dnsPolicy: None\ndnsConfig:\n  nameservers: [192.0.2.53]\n'),
  check: (object) => {
    const pod = podOf(object);
    if (!pod) return [];
    const { spec, specPath } = pod;
    const at = (...fields: (string | number)[]) => [...specPath, ...fields];
    // The names of the pods of a StatefulSet are its own matter.
    const isNamedByController = groupKind(object) === 'apps/StatefulSet';
    const servers = listAt(spec, 'dnsConfig', 'nameservers');
    return allOf(
      boundsFault(at('activeDeadlineSeconds'), spec.activeDeadlineSeconds, 1, LARGEST_INT32),
      isNamedByController ? [] : [...labelFault(at('hostname'), spec.hostname), ...labelFault(at('subdomain'), spec.subdomain)],
      NAMED.filter((field) => spec[field] !== undefined).flatMap((field) => subdomainFault(at(field), spec[field])),
      emptyFault(at('runtimeClassName'), spec.runtimeClassName),
      subdomainFault(at('hostnameOverride'), spec.hostnameOverride),
      Object.entries(isFields(spec.nodeSelector) ? spec.nodeSelector : {}).flatMap(([key, value]) => [
        ...faultIf(at('nodeSelector', key), checkLabelKey(key), 'write the label as nodes have it'),
        ...(typeof value === 'string' ? faultIf(at('nodeSelector', key), checkLabelValue(value), 'write the label as nodes have it') : []),
      ]),
      objectsAt(spec, 'schedulingGates').flatMap(([gate, index]) => {
        const name = stringAt(gate, 'name');
        return name === undefined ? [] : faultIf(at('schedulingGates', index, 'name'), checkQualifiedName(name), 'write the name of the gate');
      }),
      objectsAt(spec, 'hostAliases').flatMap(([alias, index]) => [
        ...(typeof alias.ip === 'string' && !parseIp(alias.ip) ? [fault(at('hostAliases', index, 'ip'), `${JSON.stringify(alias.ip)} is not an IP address`, 'write one')] : []),
        ...stringsAt(alias, 'hostnames').flatMap(([name, position]) => subdomainFault(at('hostAliases', index, 'hostnames', position), name)),
      ]),
      stringsAt(spec, 'dnsConfig', 'searches').flatMap(([domain, index]) => (
        domain === '.' ? [] : faultIf(at('dnsConfig', 'searches', index), checkSearchDomain(domain), 'write a domain'))),
      objectsAt(spec, 'dnsConfig', 'options').flatMap(([option, index]) => (
        stringAt(option, 'name') === undefined ? [fault(at('dnsConfig', 'options', index, 'name'), 'the option has no name', 'name it')] : [])),
      spec.dnsPolicy === 'None' && servers.length === 0
        ? [fault(at('dnsConfig', 'nameservers'), 'the policy None leaves the pod without a name server', 'name one')] : [],
      servers.length > MOST_NAME_SERVERS ? [fault(at('dnsConfig', 'nameservers'), `there are ${servers.length} name servers`, 'leave some out', `up to ${MOST_NAME_SERVERS}`)] : [],
      stringsAt(spec, 'dnsConfig', 'nameservers').flatMap(([server, index]) => (
        parseIp(server) ? [] : [fault(at('dnsConfig', 'nameservers', index), `${JSON.stringify(server)} is not an IP address`, 'write one')])),
      objectsAt(spec, 'readinessGates').flatMap(([gate, index]) => (
        typeof gate.conditionType === 'string' ? faultIf(at('readinessGates', index, 'conditionType'), checkLabelKey(gate.conditionType), 'write a qualified name') : [])),
    );
  },
};

/** Domains that are looked up may have "_" in them, and end with a dot. */
function checkSearchDomain(domain: string): string | undefined {
  return checkDnsSubdomain(domain.replace(/\.$/, '').replace(/_/g, '-'));
}

/** Messages that schemas have for the same fields of other templates, which they require. */
const template: ManifestRule = {
  id: 'TC-ADMIT-KUBERNETES-POD-TEMPLATE',
  title: 'A PodTemplate must have a template with the spec of a pod.',
  source: `${SOURCE} (ValidatePodTemplate)`,
  kinds: ['/PodTemplate'],
  example: {
    failing: objectText('v1', 'PodTemplate', 'template:\n  metadata:\n    labels: {app: web}\n'),
    corrected: objectText('v1', 'PodTemplate', 'template:\n  spec:\n    containers:\n      - name: web\n        image: registry.example.com/web:v1\n'),
  },
  check: (object) => (podOf(object) ? [] : [fault(['template', 'spec'], 'the template has no pod', 'write its containers')]),
};

/** Rules for the fields of a pod's spec. */
export const PODS: readonly ManifestRule[] = [template, restart, settings];
