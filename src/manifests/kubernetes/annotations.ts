import { AnnotationFact, SystemAnnotations } from '../rules/annotation-facts';

/** Labels by which namespaces state their level of Pod Security. Their values are looked at where namespaces are. */
export const POD_SECURITY_LABELS: SystemAnnotations = {
  reader: 'Pod Security',
  facts: ['enforce', 'audit', 'warn'].flatMap((mode) => [mode, `${mode}-version`]).map((name): AnnotationFact => ({
    key: `pod-security.kubernetes.io/${name}`, isLabel: true, kinds: ['/Namespace'],
  })),
  source: 'kubernetes/kubernetes staging/src/k8s.io/pod-security-admission/api/constants.go, v1.37.2',
};
