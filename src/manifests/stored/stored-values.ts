import { knownKind } from '../objects/known-kinds';
import { KUBERNETES_GROUPS } from '../rules/structure/kind-structure';
import { SchemaNode } from '../schema/schema-node';
import { Fields, isFields } from '../values/fields';
import { parseGoDuration } from '../values/go-duration';
import { NANO, parseQuantity } from '../values/quantity';

/** Kinds whose controllers compare pods by their text, so that `1Gi` and `1073741824` are two quantities. */
const COMPARED_AS_TEXT: readonly string[] = ['apps/StatefulSet', 'apps/DaemonSet'];

/** Fields in which an empty value is not the same as none. */
const KEPT_EMPTY: ReadonlySet<string> = new Set(['controlPlane', 'dataSecretName', 'default', 'enum', 'example', 'extraEnvs', 'taints', 'value']);
const SELECTOR = /selector$/i;

/** Numbers of Cluster API's kinds that are no pointers in Go's types: zero is the same as none (kubernetes-sigs/cluster-api api, v1.14.2). */
const ZERO_IS_NONE: ReadonlySet<string> = new Set([
  'apiServerPort', 'bindPort', 'caCertificateValidityPeriodDays', 'certificateValidityPeriodDays', 'percentage', 'port',
]);

/** Names of fields whose strings controllers read as Go durations. */
const DURATION = /(?:timeout|duration|interval|period|renewBefore)$/i;

/** Reads values as the server of a kind stores them. */
export class StoredValues {
  private readonly isKubernetes: boolean;
  private readonly asText: boolean;

  /** True of kinds whose webhook compares specs by reflect.DeepEqual, to which two spellings of a quantity are two values. */
  private readonly asWritten: boolean;

  /**
   * @param kind `group/Kind` of the object
   * @param omitsEmpty true if a webhook leaves out what is empty
   */
  public constructor(kind: string, private readonly omitsEmpty: boolean) {
    const group = kind.slice(0, kind.indexOf('/'));
    this.isKubernetes = KUBERNETES_GROUPS.has(group);
    this.asWritten = knownKind(kind)?.immutable === true;
    this.asText = COMPARED_AS_TEXT.includes(kind);
  }

  /** The value that is stored for what is written; undefined where none is stored. */
  public read(node: SchemaNode, value: unknown, name = ''): unknown {
    if (value === null) return node.nullable ? value : undefined;
    if (Array.isArray(value)) {
      const read = node.items ? value.map((item: unknown) => (item === null ? item : this.read(node.items!, item))) : value;
      const items = read.every((item, index) => item === value[index]) ? value : read;
      return items.length === 0 && !this.keepsEmpty(node, name) ? undefined : items;
    }
    if (isFields(value)) {
      const fields = this.fields(node, value);
      return Object.keys(fields).length === 0 && !this.keepsEmpty(node, name) ? undefined : fields;
    }
    if (this.omitsEmpty && isNone(value, name)) return undefined;
    if (this.asWritten) return value;
    if (isQuantity(node)) return this.quantity(value);
    return node.type === 'string' && typeof value === 'string' && DURATION.test(name) ? String(parseGoDuration(value) ?? value) : value;
  }

  /** The fields that are stored; the object itself if these are all of its fields, as they are. */
  private fields(node: SchemaNode, value: Fields): Fields {
    const names = Object.keys(value);
    const stored = names.map((name) => {
      const inside = node.fields?.get(name);
      if (inside) return this.read(inside, value[name], name);
      return node.values ? this.read(node.values, value[name]) : value[name];
    });
    if (stored.every((inner, index) => inner !== undefined && inner === value[names[index]])) return value;
    return Object.fromEntries(names.flatMap((name, index) => (stored[index] === undefined ? [] : [[name, stored[index]]])));
  }

  /** True unless an empty value is left out when the object is stored: in Go's types, of lists, maps and groups that are no pointers. */
  private keepsEmpty(node: SchemaNode, name: string): boolean {
    if (name === '' || node.open || KEPT_EMPTY.has(name) || SELECTOR.test(name)) return true;
    if (this.omitsEmpty) return false;
    return !this.isKubernetes || node.fields !== undefined || (node.items === undefined && node.values === undefined);
  }

  private quantity(value: unknown): unknown {
    const text = String(value);
    const amount = typeof value === 'string' || typeof value === 'number' ? parseQuantity(text) : undefined;
    if (amount === undefined) return value;
    const exact = amount % NANO === 0n ? String(amount / NANO) : `${amount}n`;
    return this.asText ? `${exact}${/i$/.test(text) ? ' binary' : /[eE][+-]?\d+$/.test(text) ? ' exponent' : ''}` : exact;
  }
}

/** True of a value of a field that Go's types leave out, unless the field is a pointer. */
function isNone(value: unknown, name: string): boolean {
  return (value === '' && name !== '' && !KEPT_EMPTY.has(name)) || (value === 0 && ZERO_IS_NONE.has(name));
}

/** True of a field that takes quantities: definitions of kinds have their grammar as a pattern. */
function isQuantity({ type, pattern }: SchemaNode): boolean {
  return type === 'quantity' || (pattern !== undefined && (type === 'int-or-string' || type === 'string') && pattern.includes('[KMGTPE]i'));
}
