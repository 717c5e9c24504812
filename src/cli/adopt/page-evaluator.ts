import * as fs from 'node:fs';
import * as path from 'node:path';
import { Exports, Library } from './library';
import { AppRun, AppRunner } from '../../manifests/adopt/adopted-app';
import { CarriedFile } from '../../manifests/adopt/carried-files';
import { MadeObject, PageProblem, PageRun } from '../../manifests/adopt/page-run';
import { SolvedPage } from '../../manifests/adopt/solved-page';
import { PageTarget, PatchOperation, TenantPage } from '../../manifests/adopt/tenant-page';
import { ManifestObject } from '../../manifests/objects/manifest-object';
import { isPageFields, PageCall, PageConstant, PageExpression, PageFile } from '../../manifests/rules/page-expression';
import { manifestRules, STRUCTURE_CHECK } from '../../manifests/validation/manifest-rules';
import { transitionRules } from '../../manifests/validation/transition-rules';

/** A construct, as far as pages are concerned. */
interface Construct {
  readonly node: {
    readonly id: string;
    readonly scopes: readonly Construct[];
    findAll(): readonly Construct[];
    findChild(id: string): Construct;
    tryRemoveChild(id: string): boolean;
    validate(): readonly string[];
  };
}

interface ApiObject extends Construct {
  toJson(): ManifestObject;
  addJsonPatch(...patches: readonly unknown[]): void;
}

interface Tenant extends Construct {
  addAddon(addon: unknown): unknown;
  findAddon(name: string): { readonly objects: readonly (ApiObject & { readonly kind: string })[] };
  addNodePool(id: string, props: unknown): Construct;
  findNodePool(id: string): Construct;
}

/** Runs pages in this process. */
export class PageEvaluator implements AppRunner {
  /**
   * @param library the packages that pages import
   * @param folder an empty folder for the files that pages read
   */
  public constructor(private readonly library: Library, private readonly folder: string) {}

  public run(page: TenantPage, files: ReadonlyMap<string, string>): PageRun {
    this.write(files);
    const App = this.library.cdk8s.App as new () => Construct;
    return this.runOf(this.addTenant(new App(), page));
  }

  public runApp(pages: readonly SolvedPage[], carried: readonly CarriedFile[]): AppRun {
    this.write(new Map([...pages.flatMap(({ files }) => [...files]), ...carried.map(({ file, text }) => [file, text] as const)]));
    const App = this.library.cdk8s.App as new () => Construct;
    const FileChart = this.library.library.ManifestFileChart as new (scope: Construct, id: string, file: string) => Construct;
    const { ManifestValidation } = this.library.library.validation as { readonly ManifestValidation: { attach(scope: Construct): void } };
    const app = new App();
    // An app without clusters is validated as well: main.ts makes a GitOpsApp.
    ManifestValidation.attach(app);
    for (const { page } of pages) this.addTenant(app, page);
    for (const { id, file } of carried) new FileChart(app, id, path.join(this.folder, file));
    // The first validation completes the tree.
    const problems = problemsBelow(app, (construct) => construct.node.scopes.slice(1).map(({ node }) => node.id));
    return { objects: app.node.findAll().flatMap((construct) => (this.isApiObject(construct) ? [construct.toJson()] : [])), problems };
  }

  private addTenant(app: Construct, page: TenantPage): Tenant {
    const TenantCluster = this.library.library.TenantCluster as new (scope: Construct, id: string, props: unknown) => Tenant;
    const tenant = new TenantCluster(app, page.id, this.value(page.props));
    for (const { id, props } of page.pools) tenant.addNodePool(id, this.value(props));
    for (const { addon } of page.addons) tenant.addAddon(this.value(addon));
    for (const names of page.removed) childAt(tenant, names.slice(0, -1)).node.tryRemoveChild(names.at(-1)!);
    for (const { target, operations } of page.patches) {
      constructAt(tenant, target)!.addJsonPatch(...operations.map((operation) => this.patch(operation)));
    }
    return tenant;
  }

  private write(files: ReadonlyMap<string, string>): void {
    for (const [name, content] of files) {
      const file = path.join(this.folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    }
  }

  private isApiObject(construct: Construct): construct is ApiObject {
    return (this.library.cdk8s.ApiObject as { isApiObject(value: unknown): boolean }).isApiObject(construct);
  }

  private runOf(tenant: Tenant): PageRun {
    const pathOf = (construct: Construct): string[] => {
      const { scopes } = construct.node;
      return scopes.slice(scopes.indexOf(tenant) + 1).map(({ node }) => node.id);
    };
    const objectsOf = (): MadeObject[] => tenant.node.findAll().flatMap((construct) => (
      this.isApiObject(construct) ? [{ path: pathOf(construct), object: construct.toJson() }] : []));
    return {
      get objects() {
        return objectsOf();
      },
      objectAt: (target) => constructAt(tenant, target)?.toJson(),
      pathOf: (target) => {
        const found = constructAt(tenant, target);
        return found && pathOf(found);
      },
      problems: () => problemsBelow(tenant.node.scopes[0], pathOf),
    };
  }

  private patch(operation: PatchOperation): unknown {
    const JsonPatch = this.library.cdk8s.JsonPatch as Readonly<Record<string, (path: string, value?: unknown) => unknown>>;
    return operation.op === 'remove' ? JsonPatch.remove(operation.path) : JsonPatch[operation.op](operation.path, operation.value);
  }

  private value(expression: PageExpression | undefined): unknown {
    if (expression instanceof PageFile) return path.join(this.folder, expression.path);
    if (expression instanceof PageConstant) return this.named(expression.name);
    if (expression instanceof PageCall) return this.called(expression);
    if (Array.isArray(expression)) return expression.map((item: PageExpression) => this.value(item));
    if (!isPageFields(expression)) return expression;
    return Object.fromEntries(Object.entries(expression).filter(([, value]) => value !== undefined).map(([key, value]) => [key, this.value(value)]));
  }

  private called({ name, args, isNew }: PageCall): unknown {
    const values = args.map((arg) => this.value(arg));
    const found = this.named(name);
    if (isNew) return Reflect.construct(found as new () => unknown, values);
    const owner = this.named(name.slice(0, name.lastIndexOf('.')));
    return Reflect.apply(found as () => unknown, owner, values);
  }

  private named(name: string): unknown {
    const [first] = name.split('.');
    const { library, cdk8s } = this.library;
    return name.split('.').reduce<unknown>((owner, part) => (owner as Exports)[part], first in library ? library : cdk8s);
  }
}

function childAt(construct: Construct, names: readonly string[]): Construct {
  return names.reduce((parent, name) => parent.node.findChild(name), construct);
}

function constructAt(tenant: Tenant, { pool, addon, member }: PageTarget): ApiObject | undefined {
  if (addon !== undefined) return tenant.findAddon(addon).objects.find(({ kind }) => kind === member);
  const owner = pool === undefined ? tenant : tenant.findNodePool(pool);
  if (typeof member !== 'string') return childAt(owner, member) as ApiObject;
  return member.split('.').reduce<unknown>((found, name) => (found as Exports | undefined)?.[name], owner) as ApiObject | undefined;
}

let silenced: ReadonlySet<string> | undefined;

/** The rules over manifests, whose findings can be silenced. */
function silencableRules(): ReadonlySet<string> {
  return silenced ??= new Set([...manifestRules(), ...STRUCTURE_CHECK.rules, ...transitionRules()].map(({ id }) => id));
}

const RULE = /\b(TC-[A-Z0-9-]+)\b/;

/** The problems of all constructs of an app. */
function problemsBelow(app: Construct, pathOf: (construct: Construct) => readonly string[]): PageProblem[] {
  return app.node.findAll().flatMap((construct) => construct.node.validate().map((text) => problemOf(text, pathOf(construct))));
}

function problemOf(text: string, place: readonly string[]): PageProblem {
  const rule = RULE.exec(text)?.[1] ?? '';
  return { rule, text, path: place, canBeSilenced: silencableRules().has(rule) };
}
