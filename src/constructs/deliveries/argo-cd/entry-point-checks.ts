import { checkGitSource } from './argo-cd-checks';
import { ArgoCdEntryPointsProps } from './argo-cd-entry-points-props';
import { checkDnsLabel, checkDnsSubdomain } from '../../../manifests/values/dns';
import { Problem } from '../../../manifests/values/problem';
import { ENTRY_POINT_RULES } from '../../contracts/delivery/entry-point-rules';

/** Checks how Argo CD finds what is written. */
export function checkArgoCdEntryPoints(props: ArgoCdEntryPointsProps): Problem[] {
  const { namespace, project } = props;
  const faults = [
    ...checkGitSource(props),
    { at: 'namespace', message: namespace === undefined ? undefined : checkDnsLabel(namespace), fix: 'write the namespace that Argo CD is in' },
    { at: 'project', message: project === undefined ? undefined : checkDnsSubdomain(project), fix: 'write the name of the AppProject' },
  ];
  return faults.flatMap(({ at, message, fix }) => (message === undefined ? [] : [{
    rule: ENTRY_POINT_RULES.entry, property: `entryPoints.${at}`, message, fix,
  }]));
}
