import { OwnedFile } from './bootstrap-file';
import { BootstrapFormat } from './bootstrap-format';
import { checkJinja } from './cloud-config-text';
import { hasInstanceData, IGNITION_RULE, isIgnition } from './ignition-checks';
import { KubeadmBootstrapProps } from './kubeadm-bootstrap-props';
import { Problem, Rule } from '../../../../manifests/values/problem';
import { FileContentFormat } from '../../../contracts/bootstrap-file';
import { ForbiddenUserData } from '../../../contracts/infrastructure-capabilities';

/** The property of a pool by which machines, or their infrastructure, state what they need on each node. */
export const NODE_SETUP = 'machine.nodeSetup';

/** Origins of the content of a kubeadm configuration. */
export interface CloudConfigSource {
  /** The options as the user wrote them; fields of strategies in place of these. */
  readonly options: object;

  /** The property that holds the options. */
  readonly owner: string;

  /** The files of the machine. */
  readonly files: readonly OwnedFile[];

  /** Texts of others than the user, apart from those in files. */
  readonly texts: readonly Located[];

  /** Path of the configuration in the object, for what no option says. */
  readonly path: string;

  /** Texts at which the infrastructure's provider takes user data apart. */
  readonly forbidden?: readonly ForbiddenUserData[];

  /** Problems that are reported already. */
  readonly reported: readonly Problem[];
}

/** A text with the place that it is at. */
export interface Located {
  readonly property: string;
  readonly text: string;
}

const CLOUD_CONFIG: string = BootstrapFormat.CLOUD_CONFIG;
const IGNITION: string = BootstrapFormat.IGNITION;

/** Fields in user data before the commands that kubeadm is among: boot commands, files, and kubeadm's own file. */
const BEFORE_COMMANDS = ['bootCommands', 'clusterConfiguration', 'files', 'initConfiguration', 'joinConfiguration'] as const;
const COMMANDS = ['preKubeadmCommands', 'postKubeadmCommands'] as const;

/** The fields of a KubeadmConfig that are looked at here; others are written as plain text, and held to stricter rules. */
type KubeadmConfig = { readonly [field in typeof BEFORE_COMMANDS[number] | typeof COMMANDS[number] | 'format']?: unknown };

const FORMAT_RULE: Rule = {
  id: 'TC-KUBEADM-FORMAT',
  title: 'The format of bootstrap data must be the one that the options are written for.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit, bootstrap/kubeadm/pkg/ignition',
};

/**
 * Checks a kubeadm configuration as it is written, with all patches, for what cloud-init or the infrastructure's provider would stumble
 * over: cloud-init renders commands, files and kubeadm's own file as one Jinja template. What files have from Secrets is not seen.
 *
 * Source: kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/{cloudinit,controlplane_init,controlplane_join,node}.go.
 *
 * @param config the configuration as the manifest has it
 * @param source who asked for what is in it
 */
export function checkCloudConfig(config: KubeadmConfig, source: CloudConfigSource): Problem[] {
  const format = config.format ?? CLOUD_CONFIG;
  const declared = isIgnition(source.options as KubeadmBootstrapProps) ? IGNITION : CLOUD_CONFIG;
  if (format !== declared) {
    return [{
      rule: FORMAT_RULE,
      property: `${source.path}.format`,
      message: `"${String(format)}" is not what the options are written for`,
      accepted: declared,
      fix: 'remove the patch of this field, and set format',
    }];
  }
  if (format === IGNITION) return checkInstanceData(config, source);
  const early = BEFORE_COMMANDS.flatMap((field) => textsIn(config[field], `${source.path}.${field}`));
  const late = COMMANDS.flatMap((field) => textsIn(config[field], `${source.path}.${field}`));
  const written = locator(source);
  const problems = [
    ...[...early, ...late].filter(({ property }) => !isGoTemplate(property, config, source)).flatMap((text) => written(text).flatMap(jinjaProblem)),
    ...(source.forbidden ?? []).flatMap((one) => (
      early.filter(({ text }) => text.includes(one.text)).flatMap((text) => written(text).map((at) => forbiddenProblem(one, at)))
    )),
  ];
  // kubeadm init and kubeadm join are told the same twice.
  const known = new Set(source.reported.map(({ property }) => property));
  return problems.filter(({ rule, property }, index) => (
    !known.has(property) && problems.findIndex((other) => other.rule === rule && other.property === property) === index
  ));
}

/** Checks that no text needs cloud-init to render it. */
function checkInstanceData(config: KubeadmConfig, source: CloudConfigSource): Problem[] {
  const texts = [...BEFORE_COMMANDS, ...COMMANDS].flatMap((field) => textsIn(config[field], `${source.path}.${field}`));
  const places = texts.filter(({ text }) => hasInstanceData(text)).flatMap(locator(source)).map(({ property }) => property);
  return [...new Set(places)].map((property) => instanceDataProblem(property, source));
}

/** The problem of a template, which is the user's, or that of the infrastructure, which the user cannot change. */
function instanceDataProblem(property: string, { owner }: CloudConfigSource): Problem {
  const [, asked] = property.split(`${NODE_SETUP}.`);
  return asked === undefined ? {
    rule: IGNITION_RULE,
    property,
    message: 'it is a template of instance data, which only cloud-init renders',
    fix: 'remove the template, or use an image with cloud-init',
  } : {
    rule: IGNITION_RULE,
    property: `${owner}.format`,
    message: `the infrastructure or its machines need a template of instance data in ${asked}, which only cloud-init renders`,
    fix: 'use an image with cloud-init',
  };
}

/** Finds the options that say a text; where there is none, it is at its place in the object. */
function locator({ options, owner, files, texts }: CloudConfigSource): (text: Located) => Located[] {
  const known = [
    ...textsIn(options, owner),
    ...texts,
    ...files.filter(({ property }) => !property.startsWith(`${owner}.files[`)).map(({ file, property }) => ({ property, text: file.content ?? '' })),
  ];
  return (located) => {
    const saying = known.filter(({ text }) => text === located.text);
    return saying.length > 0 ? saying : [located];
  };
}

const JINJA_RULE: Rule = {
  id: 'TC-KUBEADM-JINJA',
  title: 'Text has no accidental Jinja tags: cloud-init renders the whole cloud-config as a Jinja template. Content from Secrets is not seen.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/cloudinit.go',
};

function jinjaProblem({ property, text }: Located): Problem[] {
  const message = checkJinja(text);
  const raw = 'wrap it in {% raw %} and {% endraw %}';
  return message === undefined ? [] : [{
    rule: JINJA_RULE, property, message, fix: isContent(property) ? `give the content in base64 with encoding FileEncoding.BASE64, or ${raw}` : raw,
  }];
}

const FORBIDDEN_TEXT_RULE: Rule = {
  id: 'TC-KUBEADM-FORBIDDEN-TEXT',
  title: 'Files, boot commands and kubeadm\'s configuration contain no text at which the infrastructure\'s provider takes user data apart. Content from Secrets is not seen.',
  source: 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit/{controlplane_init,controlplane_join,node}.go',
};

function forbiddenProblem({ text, reason }: ForbiddenUserData, { property }: Located): Problem {
  const fix = isContent(property) ? 'give the content in base64 with encoding FileEncoding.BASE64'
    : (/\.bootCommands\[\d+\]$/.test(property) ? `break the text up with quotes, which the shell removes: ${text.slice(0, 1)}""${text.slice(1)}` : 'choose a value without this text');
  return { rule: FORBIDDEN_TEXT_RULE, property, message: `it contains "${text}": ${reason}`, fix };
}

function isContent(property: string): boolean {
  return /\.files\[\d+\]\.content$/.test(property);
}

/** A Go template has the same tags; what it renders to is not known here. */
function isGoTemplate(property: string, { files }: KubeadmConfig, { path }: CloudConfigSource): boolean {
  return Array.isArray(files) && files.some((file, index) => (
    file.contentFormat === FileContentFormat.TEMPLATE && property === `${path}.files[${index}].content`
  ));
}

/** All texts of plain data. */
function textsIn(value: unknown, property: string): Located[] {
  if (typeof value === 'string') return [{ property, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, `${property}[${index}]`));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return [];
  const isMap = property.endsWith('.extraEnvs');
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, isMap ? `${property}["${key}"]` : `${property}.${key}`));
}
