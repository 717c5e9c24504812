import { isKubeletFile, KubeletPart, kubeletPart } from './kubelet-part';
import { behind } from './lists';
import { diskSetup, file, mount, ntp, user } from './machine-values';
import { call, constant, duration, fieldsOf, listOf, PageExpression, PageFields } from '../../../rules/page-expression';
import { fieldAt, Fields, isFields, listAt, numberAt, objectsAt, sameValue, stringAt, stringsAt } from '../../../values/fields';

const NODE_LABELS = 'node-labels';

const EFFECTS: Readonly<Record<string, string>> = { NoSchedule: 'NO_SCHEDULE', PreferNoSchedule: 'PREFER_NO_SCHEDULE', NoExecute: 'NO_EXECUTE' };

const NODE_NAMES: Readonly<Record<string, string>> = {
  'v1.local_hostname': 'LOCAL_HOSTNAME',
  'v1.instance_id': 'INSTANCE_ID',
  'ds.meta_data.hostname': 'METADATA_HOSTNAME',
  'ds.meta_data.local_hostname': 'METADATA_LOCAL_HOSTNAME',
};

/** Options of machines that kubeadm sets up, and properties of their pool. */
export interface MachinePart {
  readonly options: PageFields;

  /** Labels of the nodes, taints and kubelet options. */
  readonly pool: PageFields;
}

/**
 * Reads a configuration of kubeadm, `clusterConfiguration` aside.
 *
 * @param wanted the configuration as it was
 * @param plain the one that the class writes without options
 */
export function machinePart(wanted: unknown, plain: unknown): MachinePart {
  const files = listAt(wanted, 'files');
  const kubelet = kubeletPart(files, listAt(plain, 'files'));
  const join = fieldAt(wanted, 'joinConfiguration');
  const registration = registrationPart(fieldAt(join, 'nodeRegistration'), fieldAt(plain, 'joinConfiguration', 'nodeRegistration'));
  const disks = fieldAt(wanted, 'diskSetup');
  return {
    options: {
      format: stringAt(wanted, 'format') === 'ignition' ? constant('BootstrapFormat.IGNITION') : undefined,
      ...registration.options,
      skipPhases: listOf(stringsAt(join, 'skipPhases').map(([phase]) => phase)),
      timeouts: timeouts(fieldAt(join, 'timeouts'), {
        discoverySeconds: 'discovery', tlsBootstrapSeconds: 'tlsBootstrap', kubeletHealthCheckSeconds: 'kubeletHealthCheck', kubernetesApiCallSeconds: 'kubernetesApiCall',
      }),
      verbosity: numberAt(wanted, 'verbosity'),
      files: fileOptions(files, listAt(plain, 'files'), kubelet),
      bootCommands: listOf(stringsAt(wanted, 'bootCommands').map(([command]) => command)),
      preKubeadmCommands: texts(wanted, plain, 'preKubeadmCommands'),
      postKubeadmCommands: texts(wanted, plain, 'postKubeadmCommands'),
      users: optionalList(behind(listAt(wanted, 'users'), listAt(plain, 'users'))?.map(user)),
      ntp: ntp(fieldAt(wanted, 'ntp')),
      diskSetup: isFields(disks) ? diskSetup(disks) : undefined,
      mounts: optionalList(listAt(wanted, 'mounts').map(mount)),
    },
    pool: { labels: registration.labels, taints: registration.taints, kubelet: kubelet.kubelet },
  };
}

/** Durations by option, from fields in seconds. */
export function timeouts(given: unknown, names: Readonly<Record<string, string>>): PageFields | undefined {
  return fieldsOf(Object.fromEntries(Object.entries(names).map(([field, option]) => {
    const seconds = numberAt(given, field);
    return [option, seconds === undefined ? undefined : duration(seconds)];
  })));
}

/** A list of options; undefined if it is empty, or one of its items cannot be written. */
export function optionalList(items: readonly (PageExpression | undefined)[] | undefined): readonly PageExpression[] | undefined {
  const written = items?.filter((item): item is PageExpression => item !== undefined);
  return written === undefined || written.length < items!.length ? undefined : listOf(written);
}

function fileOptions(files: readonly unknown[], plain: readonly unknown[], { makesFile }: KubeletPart): readonly PageExpression[] | undefined {
  const own = makesFile ? files.slice(1) : files;
  return optionalList(behind(own, plain.filter((one) => !isKubeletFile(one)))?.map(file));
}

function texts(wanted: unknown, plain: unknown, field: string): readonly PageExpression[] | undefined {
  const [own, written] = [wanted, plain].map((one) => stringsAt(one, field).map(([text]) => text));
  return optionalList(behind(own, written));
}

interface RegistrationPart {
  readonly options: PageFields;
  readonly labels?: PageFields;
  readonly taints?: readonly PageExpression[];
}

function registrationPart(wanted: unknown, plain: unknown): RegistrationPart {
  const different = (field: string) => (stringAt(wanted, field) === stringAt(plain, field) ? undefined : stringAt(wanted, field));
  const { labels, args } = argumentsPart(listAt(wanted, 'kubeletExtraArgs'), listAt(plain, 'kubeletExtraArgs'));
  return {
    options: {
      nodeName: nodeName(different('name')),
      criSocket: different('criSocket'),
      kubeletExtraArgs: args,
      ignorePreflightErrors: listOf(stringsAt(wanted, 'ignorePreflightErrors').map(([check]) => check)),
    },
    labels,
    taints: Array.isArray(fieldAt(wanted, 'taints')) ? objectsAt(wanted, 'taints').map(([taint]) => taintOption(taint)) : undefined,
  };
}

/** Labels of nodes, and further arguments of the kubelet; neither, if the list is in another order than that of the class. */
function argumentsPart(
  wanted: readonly unknown[], plain: readonly unknown[],
): { readonly labels?: PageFields; readonly args?: readonly PageExpression[] } {
  const isLabels = (argument: unknown) => stringAt(argument, 'name') === NODE_LABELS;
  const usual = plain.find(isLabels);
  const rest = behind(wanted, plain.filter((argument) => !isLabels(argument)));
  if (!rest) return {};
  const [first] = rest;
  if (!isLabels(first)) return { args: argumentOptions(rest) };
  const own = labelsIn(stringAt(first, 'value'));
  const ofMachines = labelsIn(stringAt(usual, 'value'));
  const labels = fieldsOf(Object.fromEntries(Object.entries(own).filter(([key, value]) => ofMachines[key] !== value)));
  return { labels, args: argumentOptions(rest.slice(1)) };
}

function labelsIn(text: string | undefined): Readonly<Record<string, string>> {
  const pairs = text === undefined || text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([key, value = '']) => [key, value]));
}

/** Arguments of a program; undefined if one has no value. */
export function argumentOptions(args: readonly unknown[]): readonly PageExpression[] | undefined {
  return optionalList(args.map((argument) => {
    const [name, value] = ['name', 'value'].map((field) => fieldAt(argument, field));
    return typeof name === 'string' && typeof value === 'string' ? { name, value } : undefined;
  }));
}

function nodeName(text: string | undefined): PageExpression | undefined {
  const path = /^\{\{ ([\w.]+) \}\}$/.exec(text ?? '')?.[1];
  if (path === undefined) return undefined;
  return Object.hasOwn(NODE_NAMES, path) ? constant(`NodeName.${NODE_NAMES[path]}`) : call('NodeName.fromInstanceData', path);
}

function taintOption(taint: Fields): PageFields {
  const effect = stringAt(taint, 'effect') ?? '';
  const value = stringAt(taint, 'value');
  return {
    key: stringAt(taint, 'key'),
    value: sameValue(value, '') ? undefined : value,
    effect: Object.hasOwn(EFFECTS, effect) ? constant(`TaintEffect.${EFFECTS[effect]}`) : effect,
  };
}
