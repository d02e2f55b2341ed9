#!/bin/bash
# Approves the draft of revision $1, and delivers it.
set -euo pipefail
cd "$(dirname "$0")"
for verb in propose approve; do
  waybill rpkg $verb --context kind-hub --namespace platform "deployments.kiosk.packagevariant-$1"
done
./deliver.sh
