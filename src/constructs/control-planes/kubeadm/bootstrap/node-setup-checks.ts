import { checkFile, ReservedPath, checkPathsTaken } from './bootstrap-file';
import { checkUsers } from './bootstrap-user';
import { Located, NODE_SETUP } from './cloud-config-checks';
import { checkValueText, MANAGED, NODE_IP, nodeLabelsText } from './kubelet';
import { checkNodeName } from './node-name';
import { checkLabels, checkKubeletLabelKey, checkQualifiedName } from '../../../../manifests/values/labels';
import { Problem, problemIf, Rule } from '../../../../manifests/values/problem';
import { PoolContext } from '../../../contracts/node-pool/pool-context';
import { IgnitionSetup } from '../../../contracts/node-setup';

const NODE_SETUP_RULE: Rule = {
  id: 'TC-KUBEADM-NODE-SETUP',
  title: 'What an infrastructure and its machines need on each node must be arguments that only they set, labels of their own, and an address in one line.',
  source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go, docs.cloud-init.io/en/latest/explanation/instancedata.html',
};

const FLAG = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const JINJA = /\{\{|\{%/;

/** Arguments that an infrastructure may set although a user may not. */
const OF_INFRASTRUCTURES: readonly string[] = ['cloud-provider'];

/**
 * Checks what machines need on each node. Templates are checked in the object that they are written to (`checkCloudConfig`).
 *
 * @param context the machines
 * @param reserved paths that others write on these machines, with the writer
 */
export function checkNodeSetup(context: PoolContext, reserved: readonly ReservedPath[]): Problem[] {
  const { nodeSetup = {} } = context;
  const { kubeletArguments = {}, nodeLabels = {}, nodeName, address, files = [], users = [] } = nodeSetup;
  return [
    ...Object.entries(kubeletArguments).flatMap(([flag, value]) => checkArgument(flag, value, address !== undefined)),
    ...Object.entries(nodeLabels).flatMap(([key, value]) => checkLabel(key, value, context)),
    ...(nodeName ? checkNodeName(nodeName, `${NODE_SETUP}.nodeName`) : []),
    ...problemIf(
      NODE_SETUP_RULE, `${NODE_SETUP}.address`, address === undefined || !/['\n]/.test(address) ? undefined : `${JSON.stringify(address)} has a quote or a line break`,
      'write the template in one line, with double quotes',
    ),
    ...checkIgnitionSetup(nodeSetup.ignition ?? {}),
    ...files.flatMap((file, index) => checkFile(file, `${NODE_SETUP}.files[${index}]`)),
    ...checkPathsTaken(files, `${NODE_SETUP}.files`, reserved),
    ...checkUsers(users, `${NODE_SETUP}.users`),
  ];
}

function checkArgument(flag: string, value: string, hasAddress: boolean): Problem[] {
  const property = `${NODE_SETUP}.kubeletArguments["${flag}"]`;
  const reason = OF_INFRASTRUCTURES.includes(flag) ? undefined : (flag === NODE_IP && hasAddress ? 'address sets it' : MANAGED[flag]);
  const message = FLAG.test(flag) ? reason && `kubelet cannot be given --${flag}, because ${reason}` : `"${flag}" is not the name of a flag without dashes`;
  return [
    ...problemIf(NODE_SETUP_RULE, property, message, `remove ${flag}, or state it by the member of the contract that is for it`),
    ...checkValueText(value, property),
  ];
}

/** Checks what ends up in lines of systemd's units, and that the name of a node is a variable: all machines of a pool are set up alike. */
function checkIgnitionSetup({ environmentFile, requiredUnits = [], enabledUnits = [], nodeName }: IgnitionSetup): Problem[] {
  const property = `${NODE_SETUP}.ignition`;
  const wrong = (at: string, value: string | undefined, accepted: RegExp, message: string, fix: string) => (
    problemIf(NODE_SETUP_RULE, `${property}.${at}`, value === undefined || accepted.test(value) ? undefined : `${JSON.stringify(value)} ${message}`, fix));
  return [
    ...wrong('environmentFile', environmentFile, /^\/[^\s%"'\\]+$/, 'is not an absolute path', 'write a path such as "/run/metadata/flatcar"'),
    ...Object.entries({ requiredUnits, enabledUnits }).flatMap(([field, units]) => units.flatMap((unit, index) => (
      wrong(`${field}[${index}]`, unit, /^[\w:.@-]+\.[a-z]+$/, 'is not the name of a unit', 'write a name such as "coreos-metadata.service"')))),
    ...wrong('nodeName', nodeName, /^[^\s{}]*\$\{\w+\}[^\s]*$/, 'has no variable, and would be the name of all nodes of a pool', 'write a variable such as "${COREOS_CUSTOM_HOSTNAME}"'),
  ];
}

function checkLabel(key: string, value: string, { nodeLabels }: PoolContext): Problem[] {
  const property = `${NODE_SETUP}.nodeLabels["${key}"]`;
  const literal = JINJA.test(value) ? undefined : checkLabels({ [key]: value }).find(({ path }) => path[0] === key)?.message;
  const message = checkQualifiedName(key) ?? checkKubeletLabelKey(key) ?? literal ?? (/[\n,]/.test(value) ? `${JSON.stringify(value)} has a comma or a line break` : undefined);
  return [
    ...problemIf(NODE_SETUP_RULE, property, message, 'name a label that a kubelet may set'),
    ...problemIf(
      NODE_SETUP_RULE, `labels["${key}"]`, Object.hasOwn(nodeLabels, key) ? `the infrastructure or its machines set the label "${key}" themselves` : undefined, `remove ${key}`,
    ),
  ];
}

/** The texts of what machines need, by which the texts of a configuration are found; those of files aside. */
export function nodeSetupTexts(context: PoolContext): Located[] {
  const { kubeletArguments = {}, nodeLabels = {}, preKubeadmCommands = [], postKubeadmCommands = [] } = context.nodeSetup ?? {};
  return [
    ...Object.entries(kubeletArguments).map(([flag, text]) => ({ property: `${NODE_SETUP}.kubeletArguments["${flag}"]`, text })),
    ...(Object.keys(nodeLabels).length > 0 ? [{ property: `${NODE_SETUP}.nodeLabels`, text: nodeLabelsText(context) }] : []),
    ...preKubeadmCommands.map((text, index) => ({ property: `${NODE_SETUP}.preKubeadmCommands[${index}]`, text })),
    ...postKubeadmCommands.map((text, index) => ({ property: `${NODE_SETUP}.postKubeadmCommands[${index}]`, text })),
  ];
}
