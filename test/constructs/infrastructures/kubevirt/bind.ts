import { App, Chart, Size, Testing } from 'cdk8s';
import { validateApp } from '../../../../src/constructs/app/validation/attached-validation';
import { PoolContext } from '../../../../src/constructs/contracts/node-pool/pool-context';
import { KubevirtMachine } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine';
import { KubevirtMachineProps } from '../../../../src/constructs/infrastructures/kubevirt/kubevirt-machine-props';
import { RootDisk } from '../../../../src/constructs/infrastructures/kubevirt/root-disk';
import { poolContext } from '../../../support/contexts';
import { problemsIn, ReportedProblem } from '../../../support/problems';

export const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

/** The least that makes a machine. */
export const SMALL: KubevirtMachineProps = {
  cpu: 4,
  memory: Size.gibibytes(16),
  rootDisk: RootDisk.registry({ url: 'docker://registry.example.com/os/ubuntu:24.04-v1.35.4', size: Size.gibibytes(40) }),
};

/** The machine template of a pool. */
export function templateOf(props: KubevirtMachineProps, context: PoolContext = poolContext()): any {
  return new KubevirtMachine(props).bind(new Chart(Testing.app(), 'chart', { namespace: context.cluster.namespace }), context).template.toJson();
}

/** The template with which the provider makes a virtual machine: metadata and spec. */
export function virtualMachineOf(props: Partial<KubevirtMachineProps>, context?: PoolContext): any {
  return templateOf({ ...SMALL, ...props }, context).spec.template.spec.virtualMachineTemplate;
}

/** The spec of the running instance, on which KubeVirt's own rules work. */
export function instanceOf(props: Partial<KubevirtMachineProps>, context?: PoolContext): any {
  return virtualMachineOf(props, context).spec.template.spec;
}

/** Problems of a machine. */
export function machineProblems(props: KubevirtMachineProps, context: PoolContext = poolContext()): ReportedProblem[] {
  return problemsIn((app: App) => {
    validateApp(app);
    new KubevirtMachine(props).bind(new Chart(app, 'pool', { namespace: context.cluster.namespace }), context);
  });
}
