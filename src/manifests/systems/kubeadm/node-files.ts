/** Folder of the patches that kubeadm applies. */
export const PATCHES_DIRECTORY = '/etc/kubernetes/patches';

/** File with the kubelet's configuration that a machine adds to the cluster's. */
export const KUBELET_PATCH = `${PATCHES_DIRECTORY}/kubeletconfiguration+strategic.json`;

/** Days that certificates are valid for by default (kubernetes/kubernetes cmd/kubeadm/app/constants/constants.go, CertificateValidityPeriod). */
export const CERTIFICATE_DAYS = 365;
