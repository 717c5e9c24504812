import { RuleExample } from '../../../rules/manifest-rule';

/** Lines of `devices` with nothing wrong in them. */
export const DEVICES = `                  disks:
                    - {name: root, disk: {bus: virtio}}
                  interfaces:
                    - {name: default, bridge: {}}
`;

/** `networks` and `volumes` of the instance with nothing wrong in them. */
export const INSTANCE = `              networks:
                - {name: default, pod: {}}
              volumes:
                - {name: root, dataVolume: {name: root}}
`;

const SIZING = `                cpu: {cores: 4}
                memory: {guest: 16Gi}
`;

const RUN_STRATEGY = '          runStrategy: RerunOnFailure\n';

const DATA_VOLUME = `          dataVolumeTemplates:
            - metadata: {name: root}
              spec:
                source: {registry: {url: "docker://registry.example.com/images/node:v1.35.4"}}
                storage: {resources: {requests: {storage: 20Gi}}}
`;

/** Parts of a virtual machine that an example sets instead of what is right. */
export interface ExampleParts {
  /** Lines of the VirtualMachine's `spec`, beside the template. */
  readonly machine?: string;
  /** Lines of `domain`. */
  readonly domain?: string;
  /** `networks`, `volumes` and the other fields of the instance. */
  readonly instance?: string;
}

/** A KubevirtMachineTemplate in which nothing is wrong but what is put in. */
export function machineTemplate({ machine, domain, instance }: ExampleParts = {}): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtMachineTemplate
metadata:
  name: acme-general-1a2b3c4d
  namespace: tenant-acme
spec:
  template:
    spec:
      virtualMachineBootstrapCheck: {checkStrategy: none}
      virtualMachineTemplate:
        spec:
${machine ?? persistentMachine()}          template:
            spec:
              domain:
${domain ?? domainWith(DEVICES)}${instance ?? INSTANCE}`;
}

/** Such a template whose root disk is gone after a stop of the machine. */
export const EPHEMERAL_MACHINE = machineTemplate({
  machine: RUN_STRATEGY,
  instance: INSTANCE.replace('dataVolume: {name: root}', 'containerDisk: {image: "registry.example.com/images/node:v1.35.4"}'),
});

/** Two such templates. */
export function machineExample(failing: ExampleParts, corrected: ExampleParts = {}): RuleExample {
  return { failing: machineTemplate(failing), corrected: machineTemplate(corrected) };
}

/** A domain; the lines are those of `devices`. */
export function domainWith(devices: string, sizing = SIZING): string {
  return `${sizing}                devices:\n${devices}`;
}

/** Lines of the VirtualMachine's `spec` with a persistent root disk. */
export function persistentMachine(runStrategy = RUN_STRATEGY): string {
  return `${runStrategy}${DATA_VOLUME}`;
}

/** A pool with machines of the template. */
export function machineDeployment(name: string, annotations = ''): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: ${name}
  namespace: tenant-acme
${annotations}spec:
  clusterName: acme
  selector:
    matchLabels: {cluster.x-k8s.io/deployment-name: ${name}}
  template:
    metadata:
      labels: {cluster.x-k8s.io/deployment-name: ${name}}
    spec:
      clusterName: acme
      version: v1.35.4
      bootstrap:
        configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: KubeadmConfigTemplate, name: acme-general-5e6f7a8b}
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: KubevirtMachineTemplate, name: acme-general-1a2b3c4d}
`;
}

/** A KubevirtCluster; the lines are those below `metadata`. */
export function kubevirtCluster(lines: string): string {
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1alpha1
kind: KubevirtCluster
metadata:
  name: acme
  namespace: tenant-acme
${lines}`;
}

/** A Cluster with machines on KubeVirt. */
export function cluster(controlPlane: string): string {
  return `---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: acme
  namespace: tenant-acme
spec:
  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: ${controlPlane}
    name: acme
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: KubevirtCluster
    name: acme
`;
}

/** KubeVirt's cloud controller manager of a cluster. */
export function cloudControllerManager(clusterName: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: acme-cloud-controller-manager
  namespace: tenant-acme
spec:
  selector:
    matchLabels: {app: ccm}
  template:
    metadata:
      labels: {app: ccm}
    spec:
      containers:
        - name: manager
          image: quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0
          args: [--cloud-provider=kubevirt, --cluster-name=${clusterName}, --cloud-config=/etc/cloud/cloud-config]
`;
}

/** Policy that lets the cloud controller manager of a cluster give Services one annotation only. */
export const SERVICE_POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: acme-published-services
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [services]}
  matchConditions:
    - name: published-for-the-tenant
      expression: request.userInfo.username == "system:serviceaccount:tenant-acme:acme-cloud-controller-manager"
  variables:
    - name: refusedAnnotations
      expression: object.metadata.annotations.filter(key, !(key in ["example.com/pool"]))
  validations:
    - expression: size(variables.refusedAnnotations) == 0
`;

/** KubeVirt's cloud controller manager with its configuration in a ConfigMap; the lines are those of the Pod before its containers. */
export function configuredManager(pod = ''): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cloud-controller-manager
  namespace: tenant-acme
spec:
  selector:
    matchLabels: {app: ccm}
  template:
    metadata:
      labels: {app: ccm}
    spec:
${pod}      containers:
        - name: manager
          image: quay.io/kubevirt/kubevirt-cloud-controller-manager:v0.6.0
          args: [--cloud-provider=kubevirt, --cluster-name=acme, --cloud-config=/etc/cloud/cloud-config]
          volumeMounts:
            - {name: config, mountPath: /etc/cloud}
      volumes:
        - name: config
          configMap: {name: cloud-config}
`;
}
