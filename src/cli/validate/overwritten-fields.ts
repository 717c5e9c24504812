import { Kustomization, KustomizeTree } from '../../manifests/landscape/kustomize-lists';
import { ReadObject } from '../../manifests/landscape/placed-objects';
import { groupKind, isManifestObject, ManifestObject, nameOf } from '../../manifests/objects/manifest-object';
import { RuleFinding } from '../../manifests/rules/manifest-rule';
import { deliveryFacts } from '../../manifests/systems/providers';
import { Fields, isFields, isSet, listAt, objectsAt, stringAt } from '../../manifests/values/fields';

/** Fields of a kustomization that may add fields to what it lists. */
const PATCHING: readonly string[] = ['components', 'patches', 'patchesJson6902', 'patchesStrategicMerge', 'replacements', 'transformers'];

/** Ids of rules about what a server refuses. */
const REFUSED = /^TC-ADMIT-/;

/** Tells which findings are about fields that kustomize writes before anything is applied. */
export class OverwrittenFields {
  /** Patches of deliveries, as texts. */
  private readonly patches: readonly { readonly of: ManifestObject; readonly text: string }[];

  /** Files of ServiceAccounts, by name. */
  private readonly accounts = new Map<string | undefined, string[]>();

  /**
   * @param tree the kustomizations
   * @param objects all objects
   * @param builtFrom objects that kustomize has built: what is missing there is missing
   */
  public constructor(
    private readonly tree: KustomizeTree, objects: readonly ReadObject[], private readonly builtFrom: ReadonlyMap<ManifestObject, string>,
  ) {
    for (const { object, place: { file } } of objects) {
      if (groupKind(object) === '/ServiceAccount') this.accounts.set(nameOf(object), [...this.accounts.get(nameOf(object)) ?? [], file]);
    }
    this.patches = objects.flatMap(({ object }) => objectsAt(deliveryFacts(object)?.kustomizes?.(object), 'patches')
      .map(([patch]) => ({ of: object, text: `${stringAt(patch, 'patch') ?? ''}\nkind: ${stringAt(patch, 'target', 'kind') ?? ''}` })));
  }

  /**
   * True if a finding is about a field that a kustomization, or a delivery, writes: what was not built is judged as it is written.
   *
   * @param finding the finding
   * @param object its object
   * @param file the file of the object
   */
  public has(finding: RuleFinding, object: unknown, file: string | undefined): boolean {
    if (file === undefined || !isManifestObject(object)) return false;
    return this.isNamespace(finding, object, file) || this.isSubject(finding, object, file) || this.isAdded(finding, object, file)
      || (!this.builtFrom.has(object) && this.isReplaced(finding, file));
  }

  /** True if it is about a namespace, or the name of one, in place of which a kustomization writes another. */
  private isNamespace({ path: field }: RuleFinding, object: ManifestObject, file: string): boolean {
    const [first, second] = field;
    const isNamespace = second === 'namespace' || (second === 'name' && groupKind(object) === '/Namespace');
    return first === 'metadata' && field.length === 2 && isNamespace
      && [...this.tree.appliersOf(file)].some((folder) => this.tree.namespaceOf(folder) !== undefined);
  }

  /**
   * True if the namespace of a ServiceAccount is missing in a binding: kustomize writes that of the ServiceAccount, if it applies both.
   *
   * Source: kubernetes-sigs/kustomize api/filters/nameref/nameref.go (setMapping).
   */
  private isSubject({ path: [first, position, last] }: RuleFinding, object: ManifestObject, file: string): boolean {
    if (first !== 'subjects' || last !== 'namespace' || isSet(object, 'subjects', position, last)) return false;
    const appliers = this.tree.appliersOf(file);
    return (this.accounts.get(stringAt(object, 'subjects', position, 'name')) ?? [])
      .some((account) => [...this.tree.appliersOf(account)].some((folder) => appliers.has(folder)));
  }

  /** True if a field is missing that patches may add: those of a kustomization that lists the file, or of a delivery that names the kind. */
  private isAdded({ rule, path }: RuleFinding, object: ManifestObject, file: string): boolean {
    if (!REFUSED.test(rule.id) || path.length === 0 || isSet(object, ...path)) return false;
    const isBuilt = this.builtFrom.has(object);
    const isNamed = (text: string) => [...text.matchAll(/\bkind\b\W+(\w+)/g)].some(([, kind]) => kind === object.kind);
    // A patch with patches is for deliveries, which were built without them.
    return this.patches.some(({ of, text }) => of !== object && isNamed(text) && (!isBuilt || /\bpatches\b/.test(text)))
      || (!isBuilt && this.changersOf(file).some((value) => PATCHING.some((field) => listAt(value, field).length > 0)));
  }

  /** True if a kustomization replaces the value. */
  private isReplaced({ path: field }: RuleFinding, file: string): boolean {
    const name = field.map((part) => (String(part).includes('.') ? `[${String(part)}]` : String(part))).join('.');
    return field.length > 0 && this.changersOf(file).some((value) => objectsAt(value, 'replacements').some(([replacement]) => (
      objectsAt(replacement, 'targets').some(([target]) => listAt(target, 'fieldPaths').includes(name)))));
  }

  private changersOf(file: string): readonly Fields[] {
    return this.tree.changersOf(file).filter(({ isBuilt }: Kustomization) => isBuilt !== true).map(({ value }) => value).filter(isFields);
  }
}
