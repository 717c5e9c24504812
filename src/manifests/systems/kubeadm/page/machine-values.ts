import { call, constant, fieldsOf, listOf, PageConstant, PageExpression, PageFields } from '../../../rules/page-expression';
import { fieldAt, Fields, isFields, objectsAt, stringAt, stringsAt } from '../../../values/fields';

const ENCODINGS: Readonly<Record<string, string>> = { 'base64': 'BASE64', 'gzip+base64': 'GZIP_BASE64' };
const CONTENT_FORMATS: Readonly<Record<string, string>> = { Raw: 'RAW', Template: 'TEMPLATE' };
const TABLES: Readonly<Record<string, string>> = { mbr: 'MBR', gpt: 'GPT' };
const PARTITIONS: Readonly<Record<string, string>> = {
  Linux: 'LINUX', LinuxSwap: 'LINUX_SWAP', LinuxRAID: 'LINUX_RAID', LVM: 'LVM', Fat32: 'FAT32', NTFS: 'NTFS', LinuxExtended: 'LINUX_EXTENDED',
};

/** A member of an enumeration by its value. */
function member(name: string, members: Readonly<Record<string, string>>, value: unknown): PageConstant | undefined {
  return typeof value === 'string' && Object.hasOwn(members, value) ? constant(`${name}.${members[value]}`) : undefined;
}

/** Fields of an object that an option has under the same name. */
function same(object: unknown, ...names: readonly string[]): PageFields {
  return Object.fromEntries(names.map((name) => [name, fieldAt(object, name) as PageExpression | undefined]));
}

function secret(reference: unknown): PageFields | undefined {
  return fieldsOf({ name: stringAt(reference, 'secret', 'name'), key: stringAt(reference, 'secret', 'key') });
}

/** A file of a machine; undefined for one that no option can write. */
export function file(given: unknown): PageFields | undefined {
  if (stringAt(given, 'path') === undefined) return undefined;
  return {
    ...same(given, 'path', 'content'),
    secret: secret(fieldAt(given, 'contentFrom')),
    ...same(given, 'owner', 'permissions'),
    encoding: member('FileEncoding', ENCODINGS, fieldAt(given, 'encoding')),
    ...same(given, 'append'),
    contentFormat: member('FileContentFormat', CONTENT_FORMATS, fieldAt(given, 'contentFormat')),
  };
}

/** A user of the operating system; undefined for one without a name. */
export function user(given: unknown): PageFields | undefined {
  if (stringAt(given, 'name') === undefined) return undefined;
  const password = secret(fieldAt(given, 'passwdFrom'));
  const { lockPassword, ...others } = same(given, 'gecos', 'homeDir', 'inactive', 'lockPassword', 'primaryGroup', 'shell', 'sudo');
  return {
    ...same(given, 'name'),
    ...others,
    groups: listOf(stringAt(given, 'groups')?.split(', ') ?? []),
    sshAuthorizedKeys: listOf(stringsAt(given, 'sshAuthorizedKeys').map(([key]) => key)),
    passwordFrom: password,
    lockPassword: password && lockPassword === false ? undefined : lockPassword,
  };
}

/** The time service. */
export function ntp(given: unknown): PageFields | undefined {
  if (!isFields(given)) return undefined;
  return { servers: listOf(stringsAt(given, 'servers').map(([server]) => server)), enabled: given.enabled === false ? false : undefined };
}

/** A file system to mount; undefined for a list that the class does not write. */
export function mount(given: unknown): PageFields | undefined {
  if (!Array.isArray(given) || given.length < 2 || given.length > 4 || !given.every((item) => typeof item === 'string')) return undefined;
  const [device, path, filesystem, options] = given as string[];
  return { device, path, filesystem: filesystem === 'auto' && options !== undefined ? undefined : filesystem, options: options?.split(',') };
}

/** Partitions and file systems of disks. */
export function diskSetup(given: Fields): PageFields {
  return {
    partitions: listOf(objectsAt(given, 'partitions').map(([disk]): PageFields => ({
      ...same(disk, 'device', 'layout'),
      shares: listOf(objectsAt(disk, 'diskLayout').map(([share]): PageFields => ({ ...same(share, 'percentage'), partitionType: partitionType(share.partitionType) }))),
      overwrite: disk.overwrite === true ? true : undefined,
      table: member('PartitionTable', TABLES, disk.tableType),
    }))),
    filesystems: listOf(objectsAt(given, 'filesystems').map(([filesystem]): PageFields => ({
      ...same(filesystem, 'device', 'filesystem', 'label', 'partition'),
      overwrite: filesystem.overwrite === true ? true : undefined,
      replaceFs: stringAt(filesystem, 'replaceFS'),
      extraOpts: listOf(stringsAt(filesystem, 'extraOpts').map(([option]) => option)),
    }))),
  };
}

function partitionType(given: unknown): PageExpression | undefined {
  if (typeof given !== 'string') return undefined;
  return member('PartitionType', PARTITIONS, given) ?? call('PartitionType.of', given);
}
