import { ApiObject, Chart, Testing } from 'cdk8s';
import { FileLayout, layOut } from '../../../src/constructs/repository/output-folders';

function objects(...entries: [apiVersion: string, kind: string, name: string, namespace?: string][]): ApiObject[] {
  const chart = new Chart(Testing.app(), 'test');
  return entries.map(([apiVersion, kind, name, namespace], index) => new ApiObject(chart, `${index}`, { apiVersion, kind, metadata: { name, namespace } }));
}

function files(layout: FileLayout, given: ApiObject[]): { [file: string]: string[] } {
  return Object.fromEntries([...layOut(layout, 'pools/general', given)].map(([file, held]) => [file, held.map(({ kind, name }) => `${kind} ${name}`)]));
}

const POOL = objects(['cluster.x-k8s.io/v1beta2', 'MachineDeployment', 'acme-general'], ['cluster.x-k8s.io/v1beta2', 'MachineHealthCheck', 'acme-general']);

test('a file for the part holds its objects in their order', () => {
  expect(files(FileLayout.FILE_PER_PART, POOL)).toEqual({
    'pools/general.yaml': ['MachineDeployment acme-general', 'MachineHealthCheck acme-general'],
  });
});

test('a file for each object is named after it', () => {
  expect(files(FileLayout.FILE_PER_OBJECT, POOL)).toEqual({
    'pools/general/machinedeployment-acme-general.yaml': ['MachineDeployment acme-general'],
    'pools/general/machinehealthcheck-acme-general.yaml': ['MachineHealthCheck acme-general'],
  });
});

test('objects of one name in two namespaces, or of two groups, do not share a file', () => {
  expect(files(FileLayout.FILE_PER_OBJECT, objects(['v1', 'Secret', 'x', 'a'], ['v1', 'Secret', 'x', 'b'], ['v1', 'ConfigMap', 'x', 'a']))).toEqual({
    'pools/general/secret-core-a-x.yaml': ['Secret x'],
    'pools/general/secret-core-b-x.yaml': ['Secret x'],
    'pools/general/configmap-x.yaml': ['ConfigMap x'],
  });
});

test('names that no file can have are written with hyphens, and nothing is lost where that makes two equal', () => {
  expect(files(FileLayout.FILE_PER_OBJECT, objects(
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system:a'], ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'system-a'],
  ))).toEqual({ 'pools/general/clusterrole-rbac.authorization.k8s.io-system-a.yaml': ['ClusterRole system:a', 'ClusterRole system-a'] });
});
