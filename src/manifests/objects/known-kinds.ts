import { ManifestObject } from './manifest-object';
import { FieldPath } from '../values/fields';

/** Role of the objects of a kind in Cluster API, by its contracts for providers. */
export type KindRole = 'cluster' | 'clusterTemplate' | 'machineTemplate' | 'machinePool' | 'controlPlane' | 'controlPlaneTemplate' | 'bootstrapTemplate';

/** A string, and the field that holds it. */
export interface PlacedText {
  readonly text: string;

  /** The field; of a default, the one that would hold another value. */
  readonly path: FieldPath;

  /** True if the server sets it. */
  readonly isDefault?: boolean;
}

/** Statements of an object that is a cluster without a Cluster. */
export interface StatedCluster {
  readonly version?: string;

  /** The field with the version. */
  readonly versionPath: FieldPath;
  readonly replicas?: number;

  /** The port at the endpoint, unless the endpoint has it, or a default. */
  readonly port?: number;
  readonly pods: readonly PlacedText[];
  readonly services: readonly PlacedText[];
  readonly domain?: PlacedText;
}

/** The form of provider IDs. */
export interface ProviderIdForm {
  /** Text before `://`. */
  readonly scheme: string;

  /**
   * Field of the template whose value is between `://` and the next slash; nothing is if it is not set.
   *
   * @default - not known
   */
  readonly place?: string;

  /**
   * True if the ID follows `://` at once, without a slash.
   *
   * @default - not known
   */
  readonly alone?: boolean;
}

/** ConfigMaps and Secrets whose manifests an object applies to clusters. */
export interface DeliveredPacks {
  /** Stands for the clusters: contents with the same one come together there. */
  readonly target: string;
  readonly references: readonly { readonly kind: string; readonly namespace?: string; readonly name: string }[];

  /**
   * True of one whose texts are manifests as they stand.
   *
   * @default - all are
   */
  readonly isPlain?: (pack: ManifestObject) => boolean;
}

/** Facts of a kind. */
export interface KnownKind {
  /** `group/Kind`. */
  readonly kind: string;

  /**
   * True if its objects are in no namespace. For a kind with a built-in definition, its scope counts.
   *
   * @default false
   */
  readonly clusterScoped?: boolean;

  /**
   * Role of its objects in Cluster API.
   *
   * @default - nothing that a contract names
   */
  readonly role?: KindRole;

  /**
   * True if machines, a control plane or data go with an object when it is deleted.
   *
   * @default - true with a role
   */
  readonly holdsState?: boolean;

  /**
   * True if its objects are in the management cluster only, as all with a role are: names in it are unique over all tenants.
   *
   * @default - true with a role
   */
  readonly managementOnly?: boolean;

  /**
   * True if a webhook refuses each change of `spec`.
   *
   * @default false
   */
  readonly immutable?: boolean;

  /**
   * Fields of a template, such as `spec.nodeReuse`, whose changes reach machines that exist.
   *
   * @default - none
   */
  readonly inPlace?: readonly string[];

  /**
   * Fields, such as `spec.controlPlaneEndpoint.port`, that a webhook or a controller sets where they are not set. Webhooks that write whole objects
   * set required strings to empty ones, which patches of a ClusterClass replace in its templates.
   *
   * @default - none
   */
  readonly defaulted?: readonly string[];

  /**
   * Fields whose content is a secret by their meaning, such as the configuration of a machine with its token, and that a Secret cannot stand for.
   *
   * @default - none
   */
  readonly secretFields?: readonly string[];

  /**
   * The form of the provider IDs that machines of a template get.
   *
   * @default - not known
   */
  readonly providerId?: ProviderIdForm;

  /**
   * True if a control plane of the kind runs no machines: a service or pods of the management cluster run it.
   *
   * @default false
   */
  readonly hosted?: boolean;

  /**
   * Kinds of the only bootstrap templates whose machines can join a control plane of the kind.
   *
   * @default - not known
   */
  readonly joinedBy?: readonly string[];

  /**
   * Reads what an object states of the cluster that it is by itself, without a Cluster. One that the control plane of a Cluster owns is a part
   * of that Cluster.
   *
   * @default - its objects are no clusters
   */
  readonly cluster?: (object: ManifestObject) => StatedCluster;

  /**
   * True if a validating webhook reads its objects into Go's types.
   *
   * @default false
   */
  readonly validatedByWebhook?: boolean;

  /**
   * True if its controller decrypts what objects of the kind hold, so that no more than their metadata is known.
   *
   * @default false
   */
  readonly isEncrypted?: boolean;

  /**
   * True if its objects are files that a program reads, and no API server gets them.
   *
   * @default false
   */
  readonly isFile?: boolean;

  /**
   * True if its objects are in the namespace of their controller, so that their namespace does not tell which cluster they are for.
   *
   * @default false
   */
  readonly besideController?: boolean;

  /**
   * ConfigMaps and Secrets whose manifests its objects apply to clusters.
   *
   * @default - none
   */
  readonly packs?: (object: ManifestObject) => DeliveredPacks;

  /**
   * True if a controller removes from a tenant what such an object has installed there when the object goes: the Cluster stays until then.
   *
   * @default false
   */
  readonly finalizes?: boolean;

  /**
   * Says why a control plane of the kind rejects a service domain that is a DNS name; undefined if it does not.
   *
   * @default - every DNS name is accepted
   */
  readonly rejectServiceDomain?: (domain: string) => string | undefined;
}

const KINDS = new Map<string, KnownKind>();
const GROUPS = new Map<string, readonly string[]>();

/**
 * Registers kinds; what is known of one already stays where nothing else is said. The layer that knows the providers calls it before the first lookup: see `registerProviders`.
 *
 * @param kinds the kinds
 * @param groups API groups all of whose kinds have a schema, and their kinds that have none
 */
export function addKnownKinds(kinds: readonly KnownKind[], groups: Readonly<Record<string, readonly string[]>> = {}): void {
  for (const known of kinds) KINDS.set(known.kind, { ...KINDS.get(known.kind), ...known });
  for (const [group, others] of Object.entries(groups)) GROUPS.set(group, others);
}

/** Facts of a kind, by `group/Kind`. */
export function knownKind(kind: string): KnownKind | undefined {
  return KINDS.get(kind);
}

/** The known kinds that a condition holds for, as `group/Kind`. */
export function kindsWhere(holds: (kind: KnownKind) => boolean): string[] {
  return [...KINDS.values()].filter(holds).map(({ kind }) => kind);
}

/** The known kinds that have one of some roles, as `group/Kind`. */
export function kindsOfRole(...roles: readonly KindRole[]): string[] {
  return kindsWhere(({ role }) => role !== undefined && roles.includes(role));
}

/** Of an API group all of whose kinds are known, those that have no schema; undefined for other groups. */
export function kindsWithoutSchema(group: string): readonly string[] | undefined {
  return GROUPS.get(group);
}
