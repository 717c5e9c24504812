import { KUBEADM_MANIFEST_RULES } from '../../../../src/validation/manifests/kubeadm/kubeadm-rules';
import { testRules } from '../rules-under-test';

testRules(KUBEADM_MANIFEST_RULES);
