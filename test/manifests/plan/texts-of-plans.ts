import { placedObjects } from '../../../src/manifests/landscape/placed-objects';
import { planObjects } from '../../../src/manifests/plan/plan-objects';
import { planText } from '../../../src/manifests/plan/plan-text';

/** Files with their text. */
export type Files = { readonly [file: string]: string };

/** A state of files below `dist`. */
export function stateOf(files: Files, hasFiles?: (folder: string) => boolean) {
  return { ...placedObjects(Object.entries(files).map(([file, text]) => ({ file: `dist/${file}`, bytes: Buffer.from(text) }))), root: 'dist', hasFiles };
}

/** The text of a plan. */
export function planned(before: Files | string, after: Files | string): string {
  const [old, now] = [before, after].map((files) => (typeof files === 'string' ? { 'all.yaml': files } : files));
  const hasFiles = (folder: string) => Object.keys(now).some((file) => file.startsWith(`${folder}/`));
  return planText(planObjects(stateOf(old), stateOf(now, hasFiles)), { colors: false, objects: false });
}

/** The text of a plan when a text takes the place of another one. */
export function replaced(text: string, was: string, is: string): string {
  expect(text).toContain(was);
  return planned(text, text.replace(was, is));
}

/** A Cluster of one machine. */
export const CLUSTER = `apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: shop, namespace: team-shop}
spec:
  controlPlaneRef: {apiGroup: controlplane.cluster.x-k8s.io, kind: KubeadmControlPlane, name: shop}
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerCluster, name: shop}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: shop, namespace: team-shop}
spec:
  replicas: 1
  version: v1.33.4
  machineTemplate: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: DockerMachineTemplate, name: shop}}}
`;

/** A Kustomization of Flux that prunes. */
export function kustomization(name: string, spec: string): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;
}
