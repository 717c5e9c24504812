import { Rule } from '../../../../manifests/values/problem';

const SCHEMA = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/config/crd/bases/bootstrap.cluster.x-k8s.io_kubeadmconfigtemplates.yaml';
const WEBHOOK = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/webhooks/admission/kubeadmconfig.go';
const CLOUD_INIT = 'kubernetes-sigs/cluster-api bootstrap/kubeadm/pkg/cloudinit';
const HOSTS = 'containerd/containerd docs/hosts.md';

/** What `KubeadmBootstrap` demands of its input. */
export const KUBEADM_RULES = {
  plainText: {
    id: 'TC-KUBEADM-PLAIN-TEXT',
    title: 'Text that Cluster API writes into the cloud-config without quotes reads back as the same text.',
    source: CLOUD_INIT,
  },
  jinja: {
    id: 'TC-KUBEADM-JINJA',
    title: 'Text has no accidental Jinja tags: cloud-init renders the whole cloud-config as a Jinja template. Content from Secrets is not seen.',
    source: `${CLOUD_INIT}/cloudinit.go`,
  },
  secretRef: {
    id: 'TC-KUBEADM-SECRET-REF',
    title: 'A reference to a Secret has the name of a Secret and one of its keys.',
    source: WEBHOOK,
  },
  dataSize: {
    id: 'TC-KUBEADM-DATA-SIZE',
    title: 'The bootstrap data of a machine fits into a Secret, which holds 1 MiB.',
    source: 'kubernetes.io/docs/concepts/configuration/secret',
  },
  criSocket: {
    id: 'TC-KUBEADM-CRI-SOCKET',
    title: 'The address of the container runtime must be a unix socket with an absolute path.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
  },
  format: {
    id: 'TC-KUBEADM-FORMAT',
    title: 'Machines are set up by cloud-init.',
    source: CLOUD_INIT,
  },
  nodeName: {
    id: 'TC-KUBEADM-NODE-NAME',
    title: 'The name of a node is an entry of cloud-init\'s instance data that differs between machines.',
    source: 'docs.cloud-init.io/en/latest/explanation/instancedata.html',
  },
  joinOption: {
    id: 'TC-KUBEADM-JOIN-OPTION',
    title: 'Names of preflight checks and phases are not empty.',
    source: SCHEMA,
  },
  timeout: {
    id: 'TC-KUBEADM-TIMEOUT',
    title: 'Timeouts of kubeadm are whole seconds, at least one.',
    source: SCHEMA,
  },
  verbosity: {
    id: 'TC-KUBEADM-VERBOSITY',
    title: 'The log level of kubeadm must not be negative.',
  },
  kubeletArgument: {
    id: 'TC-KUBEADM-KUBELET-ARGUMENT',
    title: 'No other option may set an argument of the kubelet.',
    source: 'kubernetes/kubernetes cmd/kubelet/app/options/options.go',
  },
  kubeletArgumentText: {
    id: 'TC-KUBEADM-KUBELET-ARGUMENT-TEXT',
    title: 'The value of a kubelet argument has no white space: kubeadm writes all of them into one line, which systemd splits.',
    source: 'kubernetes/kubernetes cmd/kubeadm/app/phases/kubelet/flags.go',
  },
  fileSource: {
    id: 'TC-KUBEADM-FILE-SOURCE',
    title: 'A file must have a source of its content.',
    source: WEBHOOK,
  },
  fileText: {
    id: 'TC-KUBEADM-FILE-TEXT',
    title: 'The content of a file survives as an indented block of YAML.',
    source: `${CLOUD_INIT}/files.go`,
  },
  fileEncoding: {
    id: 'TC-KUBEADM-FILE-ENCODING',
    title: 'Encoded content must match its encoding.',
    source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
  },
  filePrivateKey: {
    id: 'TC-KUBEADM-FILE-PRIVATE-KEY',
    title: 'The output must not contain private keys.',
  },
  filePath: {
    id: 'TC-KUBEADM-FILE-PATH',
    title: 'The path of a file is absolute and in its shortest form.',
    source: SCHEMA,
  },
  filePathTaken: {
    id: 'TC-KUBEADM-FILE-PATH-TAKEN',
    title: 'A file must not be one that kubeadm or Cluster API writes.',
    source: WEBHOOK,
  },
  filePermissions: {
    id: 'TC-KUBEADM-FILE-PERMISSIONS',
    title: 'The permissions of a file are octal digits.',
    source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
  },
  fileOwner: {
    id: 'TC-KUBEADM-FILE-OWNER',
    title: 'The owner of a file is a user, or a user and a group.',
    source: 'canonical/cloud-init cloudinit/config/cc_write_files.py',
  },
  forbiddenText: {
    id: 'TC-KUBEADM-FORBIDDEN-TEXT',
    title: 'Files, boot commands and kubeadm\'s configuration contain no text at which the infrastructure\'s provider takes user data apart. Content from Secrets is not seen.',
    source: `${CLOUD_INIT}/{controlplane_init,controlplane_join,node}.go`,
  },
  userName: {
    id: 'TC-KUBEADM-USER-NAME',
    title: 'The name of a user must be valid for useradd, and unique.',
    source: 'shadow-maint/shadow lib/chkname.c',
  },
  sshKey: {
    id: 'TC-KUBEADM-SSH-KEY',
    title: 'An authorized key is a public key as OpenSSH writes it.',
    source: 'openssh sshd(8), AUTHORIZED_KEYS FILE FORMAT',
  },
  ntpServers: {
    id: 'TC-KUBEADM-NTP-SERVERS',
    title: 'Time is taken from servers with a host name or an address.',
    source: `${CLOUD_INIT}/ntp.go`,
  },
  mountPath: {
    id: 'TC-KUBEADM-MOUNT-PATH',
    title: 'A device is mounted at an absolute path of its own, or at "none" as swap space.',
    source: 'canonical/cloud-init cloudinit/config/cc_mounts.py',
  },
  diskDeviceTaken: {
    id: 'TC-KUBEADM-DISK-DEVICE-TAKEN',
    title: 'A disk must be partitioned only once.',
    source: `${CLOUD_INIT}/disk_setup.go`,
  },
  mirrorRegistry: {
    id: 'TC-KUBEADM-MIRROR-REGISTRY',
    title: 'A registry is named as containerd reads it from image references, each once: a host, with its port if it has one.',
    source: `${HOSTS}, distribution/reference normalize.go`,
  },
  mirrorEndpoint: {
    id: 'TC-KUBEADM-MIRROR-ENDPOINT',
    title: 'A mirror must have unique http or https URLs.',
    source: HOSTS,
  },
  proxyUrl: {
    id: 'TC-KUBEADM-PROXY-URL',
    title: 'The URL of a proxy must not contain credentials.',
    source: 'golang/net http/httpproxy/proxy.go',
  },
  noProxy: {
    id: 'TC-KUBEADM-NO-PROXY',
    title: 'Exceptions from the proxy are hosts, domains, addresses or address ranges.',
    source: 'golang/net http/httpproxy/proxy.go',
  },
  caName: {
    id: 'TC-KUBEADM-CA-NAME',
    title: 'The name of a certificate must be a DNS label, each once.',
  },
  caCertificate: {
    id: 'TC-KUBEADM-CA-CERTIFICATE',
    title: 'A certificate authority is one X.509 certificate in PEM.',
    source: 'Debian update-ca-certificates(8)',
  },
} satisfies Record<string, Rule>;
