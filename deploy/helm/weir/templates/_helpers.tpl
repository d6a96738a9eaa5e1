{{- define "weir.fullname" -}}
{{- if contains "weir" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-weir" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/*
The account of a pod: the bucket's role belongs to one, and who has nothing to do there runs under another.
Takes {root, component}.
*/}}
{{- define "weir.serviceAccount" -}}
{{- $account := .root.Values.serviceAccount -}}
{{- if not $account.create -}}
{{- default "default" $account.name -}}
{{- else if include "weir.usesS3Keys" . -}}
{{- default (include "weir.fullname" .root) $account.name -}}
{{- else -}}
{{- printf "%s-no-bucket" (include "weir.fullname" .root) -}}
{{- end -}}
{{- end -}}

{{- define "weir.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Labels that never change: a deployment finds its pods by them. Takes {root, component}. */}}
{{- define "weir.selector" -}}
app.kubernetes.io/name: weir
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "weir.labels" -}}
{{ include "weir.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/*
Whether it is this component that archives, or audits without an account of its own: nobody else gets the keys to S3.
Takes {root, component}.
*/}}
{{- define "weir.usesS3Keys" -}}
{{- if eq .component (ternary "archive" "worker" .root.Values.archive.enabled) }}true{{ end -}}
{{- if and (eq .component "audit") (not .root.Values.audit.serviceAccountName) }}true{{ end -}}
{{- end -}}

{{/* Variables as a container's env; what comes later in the lists wins. Takes a list of maps. */}}
{{- define "weir.env" -}}
{{- $merged := dict -}}
{{- range . }}{{- $merged = mergeOverwrite $merged (deepCopy .) }}{{- end -}}
{{- range $name, $value := $merged }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end -}}
{{- end -}}

{{/* Where the secrets' files are, as variables. Takes {root, component}. */}}
{{- define "weir.files" -}}
{{- $secrets := .root.Values.secrets -}}
{{- $files := dict -}}
{{- if eq .component "service" -}}
{{- $_ := set $files "SERVICE_API_KEYS_FILE" (printf "/var/run/weir/service-api-keys/%s" $secrets.serviceApiKeys.key) -}}
{{- if $secrets.evmRpcUrls.secretName -}}
{{- $_ := set $files "EVM_RPC_URLS_FILE" (printf "/var/run/weir/evm-rpc-urls/%s" $secrets.evmRpcUrls.key) -}}
{{- end -}}
{{- if $secrets.evmVerifierApiKey.secretName -}}
{{- $_ := set $files "EVM_VERIFIER_API_KEY_FILE" (printf "/var/run/weir/evm-verifier-api-key/%s" $secrets.evmVerifierApiKey.key) -}}
{{- end -}}
{{- if $secrets.solanaRpcUrl.secretName -}}
{{- $_ := set $files "SOLANA_RPC_URL_FILE" (printf "/var/run/weir/solana-rpc-url/%s" $secrets.solanaRpcUrl.key) -}}
{{- end -}}
{{- if $secrets.tronRpcApiKey.secretName -}}
{{- $_ := set $files "TRON_RPC_API_KEY_FILE" (printf "/var/run/weir/tron-rpc-api-key/%s" $secrets.tronRpcApiKey.key) -}}
{{- end -}}
{{- else -}}
{{- if eq .component "worker" -}}
{{- $_ := set $files "SERVICE_API_KEY_FILE" (printf "/var/run/weir/service-api-key/%s" $secrets.serviceApiKey.key) -}}
{{- end -}}
{{- if and .root.Values.policy.configMapName (has .component (list "worker" "audit")) -}}
{{- $_ := set $files "POLICY_FILE" (printf "/var/run/weir/policy/%s" .root.Values.policy.key) -}}
{{- end -}}
{{- if $secrets.kafkaPassword.secretName -}}
{{- $_ := set $files "KAFKA_SASL_PASSWORD_FILE" (printf "/var/run/weir/kafka-password/%s" $secrets.kafkaPassword.key) -}}
{{- end -}}
{{- if $secrets.kafkaClientSecret.secretName -}}
{{- $_ := set $files "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE" (printf "/var/run/weir/kafka-client-secret/%s" $secrets.kafkaClientSecret.key) -}}
{{- end -}}
{{- if $secrets.kafkaTls.secretName -}}
{{- range $name, $key := dict "KAFKA_TLS_CA_FILE" $secrets.kafkaTls.ca "KAFKA_TLS_CERT_FILE" $secrets.kafkaTls.cert "KAFKA_TLS_KEY_FILE" $secrets.kafkaTls.key -}}
{{- if $key }}{{ $_ := set $files $name (printf "/var/run/weir/kafka-tls/%s" $key) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and $secrets.aws.secretName (include "weir.usesS3Keys" .) -}}
{{- $_ := set $files "AWS_SHARED_CREDENTIALS_FILE" (printf "/var/run/weir/aws/%s" $secrets.aws.key) -}}
{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}

{{/* Name of each mount -> {secret} or {configMap}. Takes {root, component}. */}}
{{- define "weir.mounts" -}}
{{- $values := .root.Values -}}
{{- $mounts := dict -}}
{{- if eq .component "service" -}}
{{- $_ := set $mounts "service-api-keys" (dict "secret" (required "secrets.serviceApiKeys.secretName must name the secret with the keys that the service lets in" $values.secrets.serviceApiKeys.secretName)) -}}
{{- range $name, $entry := dict "evm-rpc-urls" $values.secrets.evmRpcUrls "evm-verifier-api-key" $values.secrets.evmVerifierApiKey "solana-rpc-url" $values.secrets.solanaRpcUrl "tron-rpc-api-key" $values.secrets.tronRpcApiKey -}}
{{- if $entry.secretName }}{{ $_ := set $mounts $name (dict "secret" $entry.secretName) }}{{ end -}}
{{- end -}}
{{- else -}}
{{- if eq .component "worker" -}}
{{- $_ := set $mounts "service-api-key" (dict "secret" (required "secrets.serviceApiKey.secretName must name the secret with the key that the worker asks with" $values.secrets.serviceApiKey.secretName)) -}}
{{- end -}}
{{- if and $values.policy.configMapName (has .component (list "worker" "audit")) }}{{ $_ := set $mounts "policy" (dict "configMap" $values.policy.configMapName) }}{{ end -}}
{{- if $values.secrets.kafkaPassword.secretName }}{{ $_ := set $mounts "kafka-password" (dict "secret" $values.secrets.kafkaPassword.secretName) }}{{ end -}}
{{- if $values.secrets.kafkaClientSecret.secretName }}{{ $_ := set $mounts "kafka-client-secret" (dict "secret" $values.secrets.kafkaClientSecret.secretName) }}{{ end -}}
{{- if $values.secrets.kafkaTls.secretName }}{{ $_ := set $mounts "kafka-tls" (dict "secret" $values.secrets.kafkaTls.secretName) }}{{ end -}}
{{- if and $values.secrets.aws.secretName (include "weir.usesS3Keys" .) }}{{ $_ := set $mounts "aws" (dict "secret" $values.secrets.aws.secretName) }}{{ end -}}
{{- end -}}
{{- toYaml $mounts -}}
{{- end -}}

{{/*
What runs in a pod. Takes {root, component, values, env, port, command}: env is a list of maps, port {name, number}, absent
where nobody asks it anything.
*/}}
{{- define "weir.podSpec" -}}
{{- $of := dict "root" .root "component" .component -}}
{{- $mounts := include "weir.mounts" $of | fromYaml -}}
serviceAccountName: {{ default (include "weir.serviceAccount" $of) .values.serviceAccountName }}
{{- if eq .component "audit" }}
# Its status is its finding: a second run would say the same.
restartPolicy: Never
{{- end }}
automountServiceAccountToken: false
# A service called s3 would otherwise give every pod an S3_PORT.
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
# What is in flight has 15 s to end, the last commits and the consumers 3 s each.
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
containers:
  - name: {{ .component }}
    image: {{ include "weir.image" .root | quote }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: [{{ .command }}]
    env: {{- include "weir.env" .env | nindent 6 }}
    {{- if .port }}
    ports:
      - name: {{ .port.name }}
        containerPort: {{ .port.number }}
      {{- if ne .port.name "admin" }}
      - name: admin
        containerPort: 9464
      {{- end }}
    # Brokers are waited for, a minute long: alive and not ready meanwhile.
    startupProbe:
      httpGet:
        path: /livez
        port: {{ .port.name }}
      periodSeconds: 5
      failureThreshold: 30
    livenessProbe:
      httpGet:
        path: /livez
        port: {{ .port.name }}
      periodSeconds: 15
      timeoutSeconds: 5
      failureThreshold: 3
    readinessProbe:
      httpGet:
        path: /readyz
        port: {{ .port.name }}
      periodSeconds: 5
      timeoutSeconds: 5
    {{- end }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities:
        drop: [ALL]
    resources: {{- toYaml .values.resources | nindent 6 }}
    volumeMounts:
      - name: tmp
        mountPath: /tmp
      {{- range $name, $_ := $mounts }}
      - name: {{ $name }}
        mountPath: /var/run/weir/{{ $name }}
        readOnly: true
      {{- end }}
volumes:
  - name: tmp
    emptyDir:
      sizeLimit: 64Mi
  {{- range $name, $from := $mounts }}
  - name: {{ $name }}
    {{- if $from.secret }}
    secret:
      secretName: {{ $from.secret }}
      defaultMode: 0440
    {{- else }}
    configMap:
      name: {{ $from.configMap }}
    {{- end }}
  {{- end }}
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .spread }}
# Where there is room elsewhere.
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "weir.selector" $of | nindent 8 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/*
A deployment. Takes {root, component, values, env, port, command, replicas}: env is a list of maps, port {name, number},
replicas absent where something else decides.
*/}}
{{- define "weir.deployment" -}}
{{- $of := dict "root" .root "component" .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "weir.fullname" .root }}-{{ .component }}
  labels: {{- include "weir.labels" $of | nindent 4 }}
spec:
  {{- if hasKey . "replicas" }}
  replicas: {{ .replicas }}
  {{- end }}
  # Every member that comes or goes makes its group join anew: one at a time.
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: {{ ternary 1 0 (eq .component "service") }}
      maxUnavailable: {{ ternary 0 1 (eq .component "service") }}
  selector:
    matchLabels: {{- include "weir.selector" $of | nindent 6 }}
  template:
    metadata:
      labels: {{- include "weir.labels" $of | nindent 8 }}
    spec: {{- include "weir.podSpec" (merge (dict "spread" true) .) | nindent 6 }}
{{- end -}}
