import { StructureFindings } from './structure-findings';
import { nameWords, shownValue } from './value-words';
import { Fields, isFields } from '../../../images/manifest-object';
import {
  ANNOTATIONS_MAX_BYTES, checkAnnotationKey, checkLabelKey, checkLabelValue, checkQualifiedName, LABEL_MAX_LENGTH,
} from '../../../kubernetes/labels';
import { nearestName } from '../../../kubernetes/nearest-name';
import { checkDnsLabel, checkDnsSubdomain, DNS_LABEL_MAX_LENGTH, DNS_SUBDOMAIN_MAX_LENGTH } from '../../../network/dns';

/** Longest key of a label or an annotation: a DNS name, a slash and a name. */
const KEY_MAX_LENGTH = DNS_SUBDOMAIN_MAX_LENGTH + 1 + LABEL_MAX_LENGTH;

type Check = (value: unknown, findings: StructureFindings) => void;

const text: Check = (value, findings) => {
  if (typeof value !== 'string') wrongType(value, 'a text', findings);
};

const wholeNumber: Check = (value, findings) => {
  if (!Number.isInteger(value)) wrongType(value, 'a whole number', findings);
};

const trueOrFalse: Check = (value, findings) => {
  if (typeof value !== 'boolean') wrongType(value, 'true or false', findings);
};

const neededText: Check = (value, findings) => {
  if (typeof value !== 'string') wrongType(value, 'a text', findings);
  else if (value === '') findings.add('metadata', { message: 'it is empty', accepted: 'a text', fix: 'write what it names' });
};

const OWNER: Readonly<Record<string, Check>> = {
  apiVersion: neededText, kind: neededText, name: neededText, uid: neededText, controller: trueOrFalse, blockOwnerDeletion: trueOrFalse,
};

const OWNER_REQUIRED: readonly string[] = ['apiVersion', 'kind', 'name', 'uid'];

/** Fields of `metadata`; what a server writes itself may stand there, for it is in what `kubectl get` shows. */
const METADATA: Readonly<Record<string, Check>> = {
  name: unlessEmpty(grammar(checkDnsSubdomain, DNS_SUBDOMAIN_MAX_LENGTH)),
  // The server appends characters, so that a dash at the end is fine.
  generateName: unlessEmpty((value, findings) => (
    grammar(checkDnsSubdomain, DNS_SUBDOMAIN_MAX_LENGTH)(typeof value === 'string' ? value.replace(/-$/, '') : value, findings)
  )),
  namespace: unlessEmpty(grammar(checkDnsLabel, DNS_LABEL_MAX_LENGTH)),
  labels: entries((key, value, findings) => {
    report(key, KEY_MAX_LENGTH, checkLabelKey, findings);
    report(value, LABEL_MAX_LENGTH, checkLabelValue, findings);
  }),
  annotations: (value, findings) => {
    entries((key, _, place) => report(key, KEY_MAX_LENGTH, checkAnnotationKey, place))(value, findings);
    annotationSize(value, findings);
  },
  finalizers: list(grammar(checkQualifiedName, KEY_MAX_LENGTH)),
  ownerReferences: (value, findings) => {
    list((owner, place) => fields(OWNER, OWNER_REQUIRED, owner, place))(value, findings);
    oneController(value, findings);
  },
  creationTimestamp: text,
  deletionGracePeriodSeconds: wholeNumber,
  deletionTimestamp: text,
  generation: wholeNumber,
  managedFields: list(() => undefined),
  resourceVersion: text,
  selfLink: text,
  uid: text,
};

/**
 * Checks the metadata of an object as an API server does on create. Null is what is not written, everywhere in it.
 *
 * Source: kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 *
 * @param metadata the metadata as written
 * @param named whether the object needs a name: one inside another object does not
 */
export function checkMetadata(metadata: unknown, named: boolean, findings: StructureFindings): void {
  const written = metadata ?? {};
  fields(METADATA, [], written, findings);
  if (!named || !isFields(written) || [written.name, written.generateName].some((name) => isWritten(name) && name !== '')) return;
  findings.at('name', () => findings.add('metadata', { message: 'the object has no name', accepted: 'a DNS name', fix: 'add "name"' }));
}

function fields(checks: Readonly<Record<string, Check>>, required: readonly string[], value: unknown, findings: StructureFindings): void {
  if (!isFields(value)) return wrongType(value, 'a map', findings);
  for (const [name, child] of Object.entries(value)) {
    if (Object.hasOwn(checks, name)) {
      if (isWritten(child)) findings.at(name, () => checks[name](child, findings));
    } else if (child !== undefined) {
      const names = Object.keys(checks);
      const near = name.length > LABEL_MAX_LENGTH ? undefined : nearestName(name, names);
      findings.at(name, () => findings.add('unknown', {
        message: `there is no field ${shownValue(name)} here`,
        accepted: nameWords(names),
        fix: near === undefined ? 'remove it, or move it to where it belongs' : `did you mean ${shownValue(near)}?`,
      }));
    }
  }
  for (const name of required.filter((one) => !isWritten(value[one]))) {
    findings.at(name, () => findings.add('metadata', { message: 'it is required, and it is not there', accepted: 'a text', fix: `add ${shownValue(name)}` }));
  }
}

function list(check: Check): Check {
  return (value, findings) => {
    if (!Array.isArray(value)) return wrongType(value, 'a list', findings);
    value.forEach((entry, index) => findings.at(index, () => check(entry, findings)));
  };
}

function entries(check: (key: string, value: string, findings: StructureFindings) => void): Check {
  return (value, findings) => {
    if (!isFields(value)) return wrongType(value, 'a map', findings);
    for (const [key, entry] of Object.entries(value)) {
      findings.at(key, () => {
        if (typeof entry === 'string' || !isWritten(entry)) check(key, entry ?? '', findings);
        else wrongType(entry, 'a text', findings);
      });
    }
  };
}

function grammar(check: (text: string) => string | undefined, longest: number): Check {
  return (value, findings) => {
    if (typeof value === 'string') report(value, longest, check, findings);
    else wrongType(value, 'a text', findings);
  };
}

/** An empty name is one that is not written. */
function unlessEmpty(check: Check): Check {
  return (value, findings) => {
    if (value !== '') check(value, findings);
  };
}

/** The length comes first: a message shows the whole text. */
function report(value: string, longest: number, check: (text: string) => string | undefined, findings: StructureFindings): void {
  const message = value.length > longest ? `${shownValue(value)} has ${value.length} characters` : check(value);
  if (message === undefined) return;
  const accepted = value.length > longest ? `at most ${longest} characters` : undefined;
  findings.add('metadata', { message, ...(accepted && { accepted }), fix: value.length > longest ? 'shorten it' : 'correct it' });
}

function annotationSize(value: unknown, findings: StructureFindings): void {
  const bytes = Object.entries(isFields(value) ? value : {})
    .reduce((sum, [key, entry]) => sum + Buffer.byteLength(key) + (typeof entry === 'string' ? Buffer.byteLength(entry) : 0), 0);
  if (bytes <= ANNOTATIONS_MAX_BYTES) return;
  findings.add('metadata', {
    message: `all annotations together are ${bytes} bytes large`,
    accepted: `at most ${ANNOTATIONS_MAX_BYTES} bytes`,
    fix: 'keep long texts elsewhere; an object that kubectl applied on the client holds itself once more, in an annotation',
  });
}

function oneController(value: unknown, findings: StructureFindings): void {
  const controllers = (Array.isArray(value) ? value : []).filter((owner) => isFields(owner) && (owner as Fields).controller === true);
  if (controllers.length <= 1) return;
  findings.add('metadata', { message: `${controllers.length} owners are the controller`, accepted: 'one controller at most', fix: 'leave "controller" to one of them' });
}

function wrongType(value: unknown, wanted: string, findings: StructureFindings): void {
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  findings.add('metadata', {
    message: `${shownValue(value)} is not ${wanted}`, accepted: wanted, fix: isScalar && wanted === 'a text' ? 'put it in quotes' : `write ${wanted}`,
  });
}

function isWritten<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}
