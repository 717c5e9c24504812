import { CrdConversion } from './crd-conversion';
import { CustomResourceVersion } from './custom-resource-version';
import { CustomResourceUserRoles } from './user-roles';

/** Scope of the objects of a type. */
export enum CustomResourceScope {
  /** In a namespace each. */
  NAMESPACED = 'Namespaced',

  /** In no namespace. */
  CLUSTER = 'Cluster',
}

/** Properties of a type of custom resources. */
export interface CustomResourceTypeProps {
  /** API group, a domain of yours, e.g. `stable.example.com`. It cannot be changed later (`TC-ADMIT-KUBERNETES-CRD-NAMES`). */
  readonly group: string;

  /** Kind of the objects, e.g. `CronTab`. It cannot be changed later (`TC-ADMIT-KUBERNETES-CRD-NAMES`). */
  readonly kind: string;

  /** The versions, the newest first (`TC-ADMIT-KUBERNETES-CRD-VERSIONS`, `TC-CRD-VERSION`). */
  readonly versions: CustomResourceVersion[];

  /**
   * Name of the type in URLs and roles. It cannot be changed later (`TC-ADMIT-KUBERNETES-CRD-NAMES`).
   *
   * @default - the kind in lower case with an English plural: "foos", "policies", "meshes"
   */
  readonly plural?: string;

  /**
   * Name of one object on the command line (`TC-ADMIT-KUBERNETES-CRD-NAMES`).
   *
   * @default - the kind in lower case
   */
  readonly singular?: string;

  /**
   * Kind of a list of objects (`TC-ADMIT-KUBERNETES-CRD-NAMES`).
   *
   * @default - the kind followed by "List"
   */
  readonly listKind?: string;

  /**
   * Shorter names on the command line (`TC-ADMIT-KUBERNETES-CRD-NAMES`).
   *
   * @default - none
   */
  readonly shortNames?: string[];

  /**
   * Groups of types that `kubectl get` lists together, e.g. `all` (`TC-ADMIT-KUBERNETES-CRD-NAMES`).
   *
   * @default - none
   */
  readonly categories?: string[];

  /**
   * Scope of the objects. It cannot be changed later.
   *
   * @default CustomResourceScope.NAMESPACED
   */
  readonly scope?: CustomResourceScope;

  /**
   * Conversion of objects between versions.
   *
   * @default CrdConversion.none()
   */
  readonly conversion?: CrdConversion;

  /**
   * Approval of a type in a group of the Kubernetes community (`*.k8s.io`, `*.kubernetes.io`): the address of the approval, or a reason
   * that starts with "unapproved". API servers ignore it in other groups.
   *
   * Rule: `TC-ADMIT-KUBERNETES-CRD-NAMES`.
   *
   * @default - none; other groups need none
   */
  readonly apiApproved?: string;

  /**
   * True if Flux, Argo CD and Helm never prune the definition. All objects of the type are deleted with their definition.
   *
   * @default true
   */
  readonly keepOnPrune?: boolean;

  /**
   * ClusterRoles for the people who work with the objects (`TC-CRD-USER-ROLES`).
   *
   * @default - none
   */
  readonly userRoles?: CustomResourceUserRoles;

  /**
   * Labels of the definition (`TC-ADMIT-FIELD-METADATA`).
   *
   * @default - none
   */
  readonly labels?: { [key: string]: string };

  /**
   * Annotations of the definition (`TC-ADMIT-FIELD-METADATA`, `TC-CRD-METADATA`).
   *
   * @default - those that other properties write
   */
  readonly annotations?: { [key: string]: string };
}
