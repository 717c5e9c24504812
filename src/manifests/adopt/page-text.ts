import { expressionText, importedNames, lineText, stringText } from './expression-text';
import { PagePatch, PageTarget, PatchOperation, TenantPage } from './tenant-page';
import { PageCall, PageExpression } from '../rules/page-expression';

/** Names that pages import from cdk8s; all others are of the library. */
const OF_CDK8S: readonly string[] = ['ApiObject', 'Duration', 'JsonPatch', 'Size'];

/** So many objects with the same patch are patched in a loop. */
const FEWEST_IN_LOOP = 3;

const RESERVED = /^(?:app|arguments|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|object|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/;

/** A file of an app with the page of one cluster. */
export interface PageText {
  /** Name of the function that adds the cluster. */
  readonly functionName: string;
  readonly text: string;
}

/**
 * The page of a cluster as TypeScript.
 *
 * @param page the page
 * @param place the cluster, as a comment names it
 */
export function pageText(page: TenantPage, place: string): PageText {
  const names = variableNames(page);
  const functionName = `add${upper(camelCase(page.id))}`;
  const tenant = names.get(undefined)!;
  const patched = new Set(page.patches.flatMap(({ target: { pool } }) => pool ?? []));
  const addons = addonsText(page, names);
  const statements = [
    `  const ${tenant} = new TenantCluster(app, ${stringText(page.id)}, ${expressionText(page.props, '  ', 40 + page.id.length)});\n`,
    ...page.pools.map(({ id, props }) => {
      const head = `${patched.has(id) ? `const ${names.get(id)} = ` : ''}${tenant}.addNodePool(${stringText(id)}, `;
      return `\n  ${head}${expressionText(props, '  ', head.length)});\n`;
    }),
    ...addons.length > 0 ? ['\n', ...addons] : [],
    ...removedText(page.removed, tenant),
    ...patchesText(page.patches, names),
    `\n  return ${tenant};\n`,
  ];
  const finds = page.patches.some(({ target: { member } }) => typeof member !== 'string');
  const needed = new Set(['TenantCluster', ...importsOf(page), ...(page.patches.length > 0 ? ['JsonPatch'] : []), ...(finds ? ['ApiObject'] : [])]);
  return {
    functionName,
    text: `${importText([...needed, 'type GitOpsApp'])}\n/** Adds the cluster ${place}. */\nexport function ${functionName}(app: GitOpsApp): TenantCluster {\n${statements.join('')}}\n`,
  };
}

/** Names that the properties of a page import. */
export function importsOf({ props, pools, addons }: TenantPage): string[] {
  return [props, ...pools.map((pool) => pool.props), ...addons.map(({ addon }) => addon)].flatMap(importedNames);
}

/** Statements that add the addons of a cluster. */
export function addonsText({ addons, patches }: TenantPage, names: ReadonlyMap<string | undefined, string>, indent = '  '): string[] {
  const tenant = names.get(undefined)!;
  return addons.map(({ name, addon }) => {
    const isPatched = patches.some(({ target }) => target.addon === name);
    const head = `${isPatched ? `const ${names.get(addonKey(name))} = ` : ''}${tenant}.addAddon(`;
    return `${indent}${head}${expressionText(addon, indent, head.length)});\n`;
  });
}

/** The key of the variable of an addon: pools have no such name. */
function addonKey(name: string): string {
  return `addon/${name}`;
}

/** The imports of a page. */
export function importText(names: readonly string[]): string {
  const key = (name: string) => name.replace('type ', '').toLowerCase();
  const ofCdk8s = names.filter((name) => OF_CDK8S.includes(name)).sort();
  const own = names.filter((name) => !OF_CDK8S.includes(name)).sort((one, other) => (key(one) < key(other) ? -1 : 1));
  return [
    ...ofCdk8s.length > 0 ? [`import { ${ofCdk8s.join(', ')} } from 'cdk8s';\n`] : [],
    wrapped('import {', own, "} from 'cdk8s-cluster-api';"),
  ].join('');
}

/** Names in braces, over several lines if they are many. */
function wrapped(head: string, names: readonly string[], end: string): string {
  const line = `${head} ${names.join(', ')} ${end}\n`;
  if (line.length <= 121) return line;
  const lines = names.reduce<string[]>((found, name) => {
    const last = found.at(-1);
    if (last === undefined || last.length + name.length > 115) return [...found, `  ${name},`];
    return [...found.slice(0, -1), `${last} ${name},`];
  }, []);
  return `${head}\n${lines.join('\n')}\n${end}\n`;
}

/** Statements that take objects out of a cluster. */
export function removedText(removed: readonly (readonly string[])[], tenant: string, indent = '  '): string[] {
  if (removed.length === 0) return [];
  return [
    `\n${indent}// The former manifests do not have these objects. Without a line, the library makes the object.\n`,
    ...removed.map((path) => `${indent}${findText(tenant, path.slice(0, -1))}.node.tryRemoveChild(${stringText(path.at(-1)!)});\n`),
  ];
}

function findText(owner: string, path: readonly string[]): string {
  return path.reduce((text, name) => `${text}.node.findChild(${stringText(name)})`, owner);
}

/** Statements that patch objects of a cluster. */
export function patchesText(patches: readonly PagePatch[], names: ReadonlyMap<string | undefined, string>, indent = '  '): string[] {
  if (patches.length === 0) return [];
  const shared = sharedOperations(patches);
  const rest = patches.map(({ target, operations }) => (
    { target, operations: operations.filter((operation) => !shared.has(JSON.stringify(operation))) }));
  return [
    `\n${indent}// Fields that the former manifests have otherwise. Without a line, the field is as the library writes it.\n`,
    ...loopsText(shared, names, indent),
    ...rest.filter(({ operations }) => operations.length > 0)
      .map(({ target, operations }) => `${indent}${patchText(targetText(target, names), operations, indent)}`),
  ];
}

/** Patches of metadata that several objects have, and those of several deliveries, by their text. */
function sharedOperations(patches: readonly PagePatch[]): ReadonlyMap<string, readonly PageTarget[]> {
  const found = new Map<string, PageTarget[]>();
  for (const { target, operations } of patches) {
    const isShared = ({ path, op }: PatchOperation) => target.addon !== undefined || (op === 'remove' && path.startsWith('/metadata/'));
    for (const operation of operations.filter(isShared)) {
      const key = JSON.stringify(operation);
      const same = found.get(key);
      if (same) same.push(target);
      else found.set(key, [target]);
    }
  }
  return new Map([...found].filter(([, targets]) => targets.length >= FEWEST_IN_LOOP));
}

/** A loop for each set of objects, with all patches that they share. */
function loopsText(shared: ReadonlyMap<string, readonly PageTarget[]>, names: ReadonlyMap<string | undefined, string>, indent: string): string[] {
  const bySet = new Map<string, { readonly targets: readonly PageTarget[]; readonly operations: PatchOperation[] }>();
  for (const [key, targets] of shared) {
    const set = JSON.stringify(targets);
    const same = bySet.get(set);
    if (same) same.operations.push(JSON.parse(key) as PatchOperation);
    else bySet.set(set, { targets, operations: [JSON.parse(key) as PatchOperation] });
  }
  return [...bySet.values()].map(({ targets, operations }) => {
    const objects = targets.map((target) => targetText(target, names));
    const line = `${indent}for (const object of [${objects.join(', ')}]) {\n`;
    const head = line.length <= 121 ? line : `${indent}for (const object of [\n${objects.map((object) => `${indent}  ${object},\n`).join('')}${indent}]) {\n`;
    return `${head}${indent}  ${patchText('object', operations, `${indent}  `)}${indent}}\n`;
  });
}

function patchText(object: string, operations: readonly PatchOperation[], indent: string): string {
  const patches = operations.map((operation) => operationExpression(operation));
  const line = `${object}.addJsonPatch(${patches.map((patch) => lineText(patch)).join(', ')});\n`;
  if (operations.length === 1 && line.length + indent.length <= 121) return line;
  const inner = `${indent}  `;
  return `${object}.addJsonPatch(\n${patches.map((patch) => `${inner}${expressionText(patch, inner, 1)},\n`).join('')}${indent});\n`;
}

function operationExpression(operation: PatchOperation): PageExpression {
  const { op, path } = operation;
  return new PageCall(`JsonPatch.${op}`, op === 'remove' ? [path] : [path, operation.value as PageExpression], false);
}

/** An object as a page names it. */
function targetText({ pool, addon, member }: PageTarget, names: ReadonlyMap<string | undefined, string>): string {
  if (addon !== undefined) return `${names.get(addonKey(addon))!}.objects.find(({ kind }) => kind === ${stringText(String(member))})!`;
  const owner = names.get(pool)!;
  if (typeof member !== 'string') return `ApiObject.of(${findText(owner, member)})`;
  return `${owner}.${OPTIONAL[member] ?? member}`;
}

/** Properties that may be undefined. */
const OPTIONAL: Readonly<Record<string, string>> = {
  'machineHealthCheck': 'machineHealthCheck!',
  'controlPlaneMachines.machineTemplate': 'controlPlaneMachines!.machineTemplate',
  'controlPlaneMachines.machineHealthCheck': 'controlPlaneMachines!.machineHealthCheck!',
};

/** A variable for the cluster, and for each of its pools. */
export function variableNames(page: TenantPage): ReadonlyMap<string | undefined, string> {
  const { id, pools, addons } = page;
  // A profile of a list has its own variable "cluster".
  const used = new Set([...importsOf(page), 'cluster']);
  const names = new Map<string | undefined, string>();
  const wishes: readonly [key: string | undefined, text: string][] = [
    [undefined, id],
    ...pools.map((pool): [string, string] => [pool.id, pool.id]),
    ...addons.map(({ name }): [string, string] => [addonKey(name), name]),
  ];
  for (const [key, text] of wishes) {
    const wish = camelCase(text);
    const isUsed = used.has(wish) && (key !== undefined || wish !== 'cluster');
    const usable = isUsed || RESERVED.test(wish) || /^\d/.test(wish) || wish === '' ? `${key === undefined ? 'cluster' : 'pool'}${upper(wish)}` : wish;
    const taken = new Set(names.values());
    let name = usable;
    for (let number = 2; taken.has(name); number++) name = `${usable}${number}`;
    names.set(key, name);
  }
  return names;
}

function camelCase(text: string): string {
  return text.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase()).replace(/^[A-Z]/, (first) => first.toLowerCase());
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
