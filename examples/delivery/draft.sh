#!/bin/bash
# Publishes the blueprint as revision $1, waits for the draft that the controller makes of it, and shows what the draft changes.
set -euo pipefail
cd "$(dirname "$0")"
draft=packagevariant-$1
git -C blueprints add .
git -C blueprints commit --quiet --message "kiosk: release $1"
git -C blueprints tag "kiosk/v$1"
git -C blueprints push --quiet origin main "kiosk/v$1"
kubectl patch packagevariant kiosk --namespace platform --type merge --patch '{"spec": {"upstream": {"revision": '"$1"'}}}' > /dev/null
kubectl wait packagevariant kiosk --namespace platform --for "jsonpath={.status.downstreamTargets[0].name}=deployments.kiosk.$draft" --timeout 120s > /dev/null
git -C deployments fetch --quiet
waybill fleet preview "origin/main..origin/drafts/kiosk/$draft" --dir deployments/kiosk
