import { Duration } from 'cdk8s';
import { managedFlags } from './autoscaler-arguments';
import { AutoscalerExpander, ClusterAutoscalerOptions } from './cluster-autoscaler';
import { AUTOSCALER_RULES } from './rules';
import { goDuration, parseGoDuration } from '../../../manifests/values/go-duration';
import { compareReleases } from '../../../manifests/values/history';
import { checkLabelKey } from '../../../manifests/values/labels';
import { Problem } from '../../../manifests/values/problem';
import { CLUSTER_AUTOSCALER, imageName, releaseFor } from '../../../manifests/values/versions';
import { ClusterContext } from '../../contracts/cluster-context';
import { checkController, releaseOf } from '../controllers/controller-checks';

/** Name of the property of a cluster that holds the options. */
export const AUTOSCALER_PROPERTY = 'clusterAutoscaler';

const MOST = 2 ** 31 - 1;

/** The first release that looks for the version which serves a machine template; of its patches, 1.35.0 does not. */
const FINDS_VERSIONS_SINCE = '1.35';

/** Checks the options of the autoscaler, and the management cluster that it runs in. */
export function checkAutoscaler(options: ClusterAutoscalerOptions, { kubernetesVersion, versions, management }: ClusterContext): Problem[] {
  const release = releaseOf(options.image ?? imageName(releaseFor(CLUSTER_AUTOSCALER, kubernetesVersion), versions));
  return [
    ...checkExpanders(options),
    ...checkDurations(options),
    ...checkShare('scaleDownUtilizationThreshold', options.scaleDownUtilizationThreshold),
    ...checkShare('scaleDownGpuUtilizationThreshold', options.scaleDownGpuUtilizationThreshold),
    ...checkCount('kubeClientQps', options.kubeClientQps, 1),
    ...checkCount('kubeClientBurst', options.kubeClientBurst, 1),
    ...checkCount('maxNodesTotal', options.maxNodesTotal, 0),
    ...checkCount('maxScaleDownParallelism', options.maxScaleDownParallelism, 1),
    ...checkIgnoredLabels(options),
    ...checkProviders(Object.keys(management?.infrastructureProviders ?? {}), release ?? kubernetesVersion.minorVersion),
    ...checkController(AUTOSCALER_PROPERTY, options, { component: 'cluster-autoscaler', release, managed: managedFlags(AUTOSCALER_PROPERTY) }),
  ];
}

function checkExpanders({ expanders = [] }: ClusterAutoscalerOptions): Problem[] {
  const rule = AUTOSCALER_RULES.expander;
  const random = expanders.indexOf(AutoscalerExpander.RANDOM);
  return expanders.flatMap((expander, index): Problem[] => {
    const property = `${AUTOSCALER_PROPERTY}.expanders[${index}]`;
    if (expanders.indexOf(expander) < index) {
      return [{
        rule, property, message: `the expander ${expander} is already at position ${expanders.indexOf(expander)}`, fix: 'remove one of the two',
      }];
    }
    return random === -1 || index <= random ? [] : [{
      rule, property, message: `random leaves one pool, so that ${expander} has nothing to choose, and the autoscaler exits`, fix: 'write random last, or leave it out',
    }];
  });
}

function checkDurations(options: ClusterAutoscalerOptions): Problem[] {
  const times: readonly (readonly [property: string, time: Duration | undefined])[] = [
    ['newPodScaleUpDelay', options.newPodScaleUpDelay],
    ['scaleDownUnneededTime', options.scaleDownUnneededTime],
    ['scaleDownUnreadyTime', options.scaleDownUnreadyTime],
    ['scaleDownDelayAfterAdd', options.scaleDownDelayAfterAdd],
    ['scaleDownDelayAfterDelete', options.scaleDownDelayAfterDelete],
    ['scaleDownDelayAfterFailure', options.scaleDownDelayAfterFailure],
    ['scanInterval', options.scanInterval],
  ];
  const graceful = options.maxGracefulTermination?.toSeconds({ integral: false });
  return [
    ...times.filter(([, time]) => time && parseGoDuration(goDuration(time)) === undefined)
      .map(([property, time]) => durationProblem(property, `${time!.toMilliseconds()} ms is not a time of the autoscaler`, 'times of up to 292 years')),
    ...(options.scanInterval?.toMilliseconds() === 0 ? [durationProblem('scanInterval', 'the autoscaler would look at the cluster without a break', 'more than 0')] : []),
    ...(graceful !== undefined && !(Number.isInteger(graceful) && graceful <= MOST)
      ? [durationProblem('maxGracefulTermination', `${graceful} seconds is not a time that the autoscaler can wait`, `whole seconds up to ${MOST}`)] : []),
  ];
}

function durationProblem(property: string, message: string, accepted: string): Problem {
  return { rule: AUTOSCALER_RULES.duration, property: `${AUTOSCALER_PROPERTY}.${property}`, message, accepted, fix: 'correct the time, or leave it out' };
}

function checkShare(property: string, share: number | undefined): Problem[] {
  return share === undefined || (share >= 0 && share <= 1) ? [] : [{
    rule: AUTOSCALER_RULES.share, property: `${AUTOSCALER_PROPERTY}.${property}`, message: `${share} is not a share`, accepted: '0 to 1', fix: 'write 50 % as 0.5',
  }];
}

function checkCount(property: string, count: number | undefined, smallest: number): Problem[] {
  return count === undefined || (Number.isInteger(count) && count >= smallest && count <= MOST) ? [] : [{
    rule: AUTOSCALER_RULES.count,
    property: `${AUTOSCALER_PROPERTY}.${property}`,
    message: `${count} is not such a number`,
    accepted: `whole numbers from ${smallest} to ${MOST}`,
    fix: 'correct the number, or leave it out',
  }];
}

function checkProviders(providers: readonly string[], release: string): Problem[] {
  return providers.length < 2 || compareReleases(release, FINDS_VERSIONS_SINCE) >= 0 ? [] : [{
    rule: AUTOSCALER_RULES.providers,
    property: AUTOSCALER_PROPERTY,
    message: `the management cluster has the infrastructure providers ${[...providers].sort().join(', ')}, and an autoscaler ${release} reads machine templates `
      + 'in the one version that the API server prefers for all of them. If the templates of this cluster are not served in it, the autoscaler waits for ever: '
      + 'its pod is ready, and the ConfigMap cluster-autoscaler-status in kube-system of the tenant stays at "Initializing"',
    fix: `raise the cluster to Kubernetes ${FINDS_VERSIONS_SINCE}, or use a management cluster with one infrastructure provider; if the providers serve the same versions, `
      + 'nothing is to be done',
  }];
}

function checkIgnoredLabels({ balanceSimilarNodeGroups, balancingIgnoredLabels = [] }: ClusterAutoscalerOptions): Problem[] {
  const property = `${AUTOSCALER_PROPERTY}.balancingIgnoredLabels`;
  if (balancingIgnoredLabels.length > 0 && !balanceSimilarNodeGroups) {
    return [{
      rule: AUTOSCALER_RULES.ignoredLabel, property, message: 'pools are not compared', fix: 'set balanceSimilarNodeGroups: true, or leave the labels out',
    }];
  }
  return balancingIgnoredLabels.flatMap((key, index) => {
    const message = checkLabelKey(key);
    return message === undefined ? [] : [{ rule: AUTOSCALER_RULES.ignoredLabel, property: `${property}[${index}]`, message, fix: 'write the key of a label of nodes' }];
  });
}
