#!/bin/bash
# Has Flux fetch the main branch now, and waits until the clusters have applied it. Flux looks by itself every minute.
set -euo pipefail
cd "$(dirname "$0")"
git -C deployments pull --quiet origin main
commit=$(git -C deployments rev-parse HEAD)
kubectl annotate --namespace flux-system --overwrite gitrepository --all "reconcile.fluxcd.io/requestedAt=$(date +%s)" > /dev/null
if ! kubectl wait --namespace flux-system --for "jsonpath={.status.lastAppliedRevision}=main@sha1:$commit" --timeout 120s kustomization --all > /dev/null; then
  kubectl get gitrepositories,kustomizations --namespace flux-system >&2
  exit 1
fi
echo "all clusters have applied kiosk: $(git -C deployments log -1 --format=%s)"
