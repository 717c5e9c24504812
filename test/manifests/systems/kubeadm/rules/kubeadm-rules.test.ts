import { KUBEADM_MANIFEST_RULES } from '../../../../../src/manifests/systems/kubeadm/provider';
import { testRules } from '../../../rules/rules-under-test';

testRules(KUBEADM_MANIFEST_RULES);
