import * as fs from 'node:fs';
import * as path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { runExample } from '../../support/examples';

const FOLDER = path.resolve(__dirname, '..', '..', '..', 'conformance', 'plan');

/** API groups of Cluster API's own controllers and of infrastructure. */
const GROUP = /^(bootstrap\.|controlplane\.|infrastructure\.)?cluster\.x-k8s\.io\//;

const VERSION = 'v1.35.8';

type Objects = readonly any[];

/** A change of the page of the example. */
type Change = (objects: Objects) => Objects;

/** The objects of the example that Cluster API works on, with machines in memory in place of containers. */
function inMemory(): Objects {
  const documents = Object.values(runExample('dev')).flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  return documents.filter(({ apiVersion }) => GROUP.test(String(apiVersion))).map((object) => {
    if (object.kind === 'DevCluster') return { ...object, spec: { backend: { inMemory: {} } } };
    return object.kind === 'DevMachineTemplate' ? withBackend(object, {}) : object;
  });
}

function withBackend(template: any, backend: object): any {
  return { ...template, spec: { template: { spec: { backend: { inMemory: backend } } } } };
}

/** Other times in the templates of machines, as a page with another option has them. */
function slower(objects: Objects, part: string): Objects {
  const isOfPart = ({ kind, metadata }: any): boolean => kind === 'DevMachineTemplate' && metadata.name.startsWith(`trial-${part}-`);
  return objects.map((object) => (isOfPart(object) ? withBackend(object, { vm: { provisioning: { startupDuration: '2s' } } }) : object));
}

/** The same objects with a string replaced everywhere. */
function replaced(objects: Objects, from: string, to: string): Objects {
  return JSON.parse(JSON.stringify(objects).replaceAll(from, to)) as any[];
}

/** The name of the template of some machines. */
function templateOf(objects: Objects, part: string): string {
  return objects.find(({ kind, metadata }) => kind === 'DevMachineTemplate' && metadata.name.startsWith(`trial-${part}-`)).metadata.name;
}

/** A template with another content gets another name. */
const machines = (part: string): Change => (objects) => {
  const name = templateOf(objects, part);
  return replaced(slower(objects, part), name, `${name}-2`);
};

const CHANGES: Readonly<Record<string, Change>> = {
  'dev-page-machines': machines('workers'),
  'dev-page-control-plane-machines': machines('control-plane'),
  'dev-page-machines-in-place': (objects) => slower(objects, 'workers'),
  'dev-page-version': (objects) => replaced(objects, VERSION, 'v1.36.4'),
  'dev-page-control-plane-scaled': (objects) => objects.map((object) => (
    object.kind === 'KubeadmControlPlane' ? { ...object, spec: { ...object.spec, replicas: 3 } } : object)),
};

function textOf(objects: Objects): string {
  return objects.map((object) => stringify(object)).join('---\n');
}

test.each(Object.entries(CHANGES))('%s is a change of the example, with machines in memory', (name, change) => {
  const before = inMemory();
  expect(JSON.stringify(before)).toContain(VERSION);
  const states = { old: textOf(before), new: textOf(change(before)) };
  expect(states.new).not.toBe(states.old);
  for (const [state, text] of Object.entries(states)) {
    const file = path.join(FOLDER, name, `${state}.yaml`);
    if (process.env.WRITE_GOLDEN) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, text);
    }
    expect(fs.readFileSync(file, 'utf8')).toBe(text);
  }
});
