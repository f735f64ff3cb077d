/** How people name secrets: credentials, and everything that a CI or a cloud puts beside them. */
const SECRET =
  /TOKEN|SECRET|KEY|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|SESSION|PRIVATE|(?:^|_)(?:AUTH|PAT|PWD|JWT|DSN)(?:_|$)/iu;

/** Families that hold tokens, logins and addresses, whatever the single name says. */
const FAMILIES =
  /^(?:(?:GITHUB|GH|ACTIONS|RUNNER|INPUT|CI|GITLAB|AWS|AZURE|ARM|GOOGLE|GCP|GCLOUD|SSH|GPG|GIT|DATABASE|DOCKER|KUBE|VAULT|NPM|SLURM)(?:_|$)|PG[A-Z]+$|PAWL_(?!CCACHE$|PYTHON$))/iu;

/** Whether a variable's name says that its value is not for kernels. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name) || FAMILIES.test(name);
}
