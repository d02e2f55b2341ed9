# All tasks of this repository, for people and for CI. They need GNU make, bash, Go and git. A check that needs another
# program (kpt, podman, an API server) is skipped if that is missing.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The same sources and Go toolchain give the same binary in any folder. Tests and lint compile as builds do, so that
# everything is compiled once; only the race detector needs C. Compilers and linkers are short-lived: they take a tenth
# less time if they collect garbage only above 1 GiB, and almost another tenth less without tables for debuggers, which programs of
# releases do not contain. Git stamps waybill with the commit, for `waybill version`.
CGO := $(shell go env CGO_ENABLED)
export CGO_ENABLED := 0
export GOFLAGS := $(GOFLAGS) -trimpath -gcflags=all=-dwarf=false '-toolexec=env GOGC=off GOMEMLIMIT=1GiB'
GOBUILD := go build -ldflags='-s -w -buildid='

BENCH ?= .
BENCHTIME ?= 1s
BENCHFLAGS ?=
# How many packages are benchmarked at a time; several would disturb each other.
BENCHP ?= 1
PKG ?= ./...

TESTFLAGS ?=

# The race detector needs a C compiler. CI requires one; elsewhere make reports that it is missing. make test-all runs it over the
# short tests of packages that share data between goroutines, make test-race over the controllers, too.
RACE := $(if $(CI)$(filter 1,$(CGO)),-race)
NORACE := $(if $(RACE),,data races: the race detector needs a C compiler)
IMPORTS := go list -e -f '{{.ImportPath}} {{.Imports}} {{.TestImports}} {{.XTestImports}}'
SHARES := '^[^ ]*/pkg/.*[[ ](sync|sync/atomic|golang.org/x/sync/errgroup|net/http/httptest)[] ]'

# How many packages are tested at a time: one more than processors, as tests wait for git and for servers.
TESTP ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

# Tests and linters are short-lived, too, and use more memory: they take less time if they collect garbage less often.
FEWERGC := GOGC=400

# Tests write many files, and disks are slow: these files stay in memory if 4 GiB are free there.
SHM := $(shell [ -w /dev/shm ] && df -k --output=avail /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 >= 4194304 { print "/dev/shm" }')
INMEMORY := $(if $(SHM),GOTMPDIR= TMPDIR=$(SHM))
# A folder that is removed when the shell of a recipe ends, as kpt leaves files behind. Tests that give up root read it, and
# podman refuses a path with capital letters in a reference.
TESTTMP := $(if $(SHM),export GOTMPDIR= TMPDIR=$(SHM)/waybill.$$(date +%s%N); mkdir -m 755 "$$TMPDIR" || exit; trap 'rm -rf "$$TMPDIR"' EXIT;)

# Folders of real manifests for tests, if there are any.
export WAYBILL_TESTDATA ?= $(abspath $(wildcard ../shared/data))

.PHONY: help
help: ## List every target
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: build
build: ## Build bin/waybill, bin/waybill-controller and one static binary per function in bin/functions
	@mkdir -p bin/functions
	$(GOBUILD) -o bin/ ./cmd/waybill ./cmd/waybill/waybill-controller
	$(GOBUILD) -buildvcs=false -o bin/functions/ ./functions/...

.PHONY: fmt
fmt: ## Format all Go files, their imports included
	$(LINTTOOL) golangci-lint fmt

# Tools of modules of their own: Go builds them once and keeps them in its build cache.
LINTTOOL := go tool -modfile=.ci/lint/go.mod
MODULES := . .ci/lint .ci/actionlint .ci/site .ci/helm .ci/release $(wildcard pkg/testenv/servers/*/go.mod)

.PHONY: lint
lint: ## Check formatting, Go code, go.mod files, workflows and links in documents
	@unformatted=$$(gofmt -l .); [ -z "$$unformatted" ] || { printf 'run make fmt for:\n%s\n' "$$unformatted" >&2; exit 1; }
	$(FEWERGC) $(LINTTOOL) golangci-lint run $(PKG)
	@for module in $(MODULES:/go.mod=); do (set -x; go -C $$module mod tidy -diff); done
	go tool -modfile=.ci/actionlint/go.mod actionlint -shellcheck= -pyflakes=
	go test ./pkg/depcheck -run='^TestLinks$$'

VULNDB ?= https://vuln.go.dev

.PHONY: vulncheck
vulncheck: ## Look for known vulnerabilities in called code; a database that does not answer fails only if VULNDB names it
	@$(LINTTOOL) govulncheck -db='$(VULNDB)' -version | grep -q '^DB updated:' || { \
		echo 'NOT CHECKED for known vulnerabilities: $(VULNDB) does not answer' >&2; exit $(if $(filter file,$(origin VULNDB)),0,1); }; \
	set -x; $(LINTTOOL) govulncheck -db='$(VULNDB)' $(PKG)

# make lint vets: go test would vet all dependencies, too, where the build cache is empty.
SUMMARY := go run -buildvcs=false ./pkg/testenv/testsummary

.PHONY: test
test: ## Run the tests that need nothing but Go and git; PKG=./pkg/krm/... runs some
	$(INMEMORY) $(FEWERGC) WAYBILL_SHORT=1 go test -vet=off -timeout=35m -p=$(TESTP) -json $(TESTFLAGS) $(PKG) | $(SUMMARY) -note 'the race detector: make test-race'

# Cached results from before a tool was installed or removed would be wrong.
GOTESTALL := $(FEWERGC) xargs -r go test -count=1 -vet=off -timeout=35m -p=$(TESTP) -json $(TESTFLAGS)

# Short tests under the race detector of the packages that share data.
RACESHORT = $(IMPORTS) $(PKG) | { grep -E $(SHARES) || true; } | cut -d' ' -f1 | CGO_ENABLED=1 WAYBILL_SHORT=1 WAYBILL_REQUIRE= $(GOTESTALL) -race || true

.PHONY: test-all
test-all: ## Run all tests, also with real programs, and the short ones under the race detector; list what was skipped
	$(TESTTMP) { go list $(PKG) | $(GOTESTALL) || true; $(if $(RACE),$(RACESHORT)); } | $(SUMMARY) -note '$(NORACE)'

.PHONY: test-race
test-race: ## Run the tests of controllers, and the short ones of packages that share data, under the race detector
	$(TESTTMP) { go list $(PKG) | { grep /controllers/ || true; } | CGO_ENABLED=1 $(GOTESTALL) -race || true; $(RACESHORT); } | WAYBILL_REQUIRE= $(SUMMARY)

.PHONY: mutants
mutants: ## Test the tests: make test must fail when one line of the core of a function is missing, for three such lines
	@WAYBILL_REQUIRE= .ci/mutants

.PHONY: apiserver
apiserver: ## Build the API server, etcd and kubectl for some tests: once, some minutes; outside the tree
	@go run -buildvcs=false ./pkg/testenv/servers $@

.PHONY: ocm
ocm: ## Build Open Cluster Management's work agent, webhook and controller of ManifestWorkReplicaSets in the same way
	@go run -buildvcs=false ./pkg/testenv/servers $@

.PHONY: porch
porch: ## Build Porch's API server and controllers in the same way
	@go run -buildvcs=false ./pkg/testenv/servers $@

.PHONY: flux
flux: ## Build Flux's source-controller and kustomize-controller in the same way
	@go run -buildvcs=false ./pkg/testenv/servers $@

.PHONY: registry
registry: ## Build the registry of the distribution project in the same way
	@go run -buildvcs=false ./pkg/testenv/servers $@

# The packages with benchmarks.
BENCHED = $(if $(filter ./...,$(PKG)),$(shell grep -rl --include='*_test.go' '^func Benchmark' . | xargs -n1 dirname | sort -u),$(PKG))

.PHONY: bench
bench: ## Run the benchmarks; BENCH=regexp chooses some, BENCHTIME=1x BENCHFLAGS=-short BENCHP=2 is a quick try
	go test -run='^$$' -vet=off -bench='$(BENCH)' -benchmem -benchtime=$(BENCHTIME) $(BENCHFLAGS) -timeout=30m -p=$(BENCHP) $(BENCHED)

KPTBENCH ?=

.PHONY: bench-kpt
bench-kpt: build ## Render the same packages with the real kpt and with waybill, side by side; KPTBENCH='-sizes 10,100 -runs 3' is a quick try, KPTBENCH=-upstream gets and updates them, KPTBENCH=-start only starts both
	@go build -o bin/benchkpt ./pkg/testenv/benchkpt
	bin/benchkpt $(KPTBENCH)

SPEED ?=

.PHONY: speed
speed: build ## Measure the tables of docs/speed.md again and write them into it, for some hours on a quiet machine; SPEED=regexp chooses commands
	@go build -o bin/benchkpt ./pkg/testenv/benchkpt
	go run ./pkg/testenv/benchpage -only='$(SPEED)'

.PHONY: ratios
ratios: build ## Check that no ratio of docs/speed.md that CI checks has fallen by a third; SPEED=regexp chooses commands
	@go build -o bin/benchkpt ./pkg/testenv/benchkpt
	go run ./pkg/testenv/benchpage -check -only='$(SPEED)'

PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

# Lint vets linux. Tests of commands and controllers start processes and servers as Unix does: on Windows, the others are vetted.
.PHONY: platforms
platforms: ## Build all programs for each platform of a release, and vet code and unit tests there; PLATFORMS=windows/arm64 chooses some
	@for platform in $(PLATFORMS); do \
		export GOOS=$${platform%/*} GOARCH=$${platform#*/}; \
		(set -x; go build -buildvcs=false ./cmd/... ./functions/...; go vet -buildvcs=false ./functions/... ./pkg/...); \
	done

.PHONY: generate
generate: ## Write all generated files; tests fail if these are out of date
	go generate $(PKG)

.PHONY: images
images: build ## Build images of functions and of waybill: an OCI layout in dist/layout, tarballs for podman load in dist/images, digests in dist/digests.yaml
	@mkdir -p dist
	bin/waybill image build --output dist/layout --tarball-dir dist/images --format yaml $(if $(IMAGELDFLAGS),--ldflags='$(IMAGELDFLAGS)') >dist/digests.yaml

DIGESTS ?= dist/digests.yaml
INSTALL ?= dist/install.yaml

# Images have the same digests before and after they are pushed. Those of another registry are in what image push --to prints.
.PHONY: install-yaml
install-yaml: ## Write CRDs and manifests as one file, dist/install.yaml, with the image by digest; DIGESTS=file has what image push -o yaml printed
	go run -buildvcs=false ./controllers/manifests/install -digests '$(DIGESTS)' -output '$(INSTALL)'

.PHONY: demo
demo: ## Show in six steps what Waybill does, in a new folder; DEMO_DIR says which
	@mkdir -p bin
	@echo 'Building bin/waybill: about a minute the first time, seconds afterwards.' >&2
	@start=$$SECONDS; total=$$(go list -deps ./cmd/waybill | wc -l); \
	$(GOBUILD) -v -o bin/waybill ./cmd/waybill 2>&1 | awk -v total="$$total" -v tty="$$([ ! -t 2 ] || echo 1)" '\
		!/^[^ :]+$$/ { print } \
		/^[^ :]+$$/ && tty { printf "\r%d of %d packages", ++n, total; fflush() } \
		END { if (n) print "" }' >&2; \
	echo "Built in $$((SECONDS - start)) s." >&2
	@PATH="$(CURDIR)/bin:$$PATH" examples/edge-fleet/demo.sh $(if $(DEMO_DIR),"$(DEMO_DIR)")

SITE ?= dist/site

# Hugo writes over the files of a folder that SITE names, and deletes nothing there.
.PHONY: site
site: ## Build the documents as a site with search, for a browser or any web server, in dist/site; SITE=folder elsewhere
	@echo 'Building $(SITE). The first time, Go builds Hugo, too: two minutes.' >&2
	@$(if $(filter file,$(origin SITE)),rm -rf $(SITE))
	@said=$$(go tool -modfile=.ci/site/go.mod hugo --config docs/site/hugo.yaml --destination '$(SITE)' --noBuildLock --panicOnWarning 2>&1) || \
		{ printf '%s\n' "$$said" >&2; exit 1; }
	@echo 'Open $(SITE)/index.html.' >&2

HELM := go tool -modfile=.ci/helm/go.mod helm

.PHONY: chart
chart: ## Check the Helm chart with Helm, and pack it into dist/chart, with the time of the commit
	@echo 'Checking controllers/chart. The first time, Go builds Helm, too: three minutes.' >&2
	$(HELM) lint --strict --quiet controllers/chart
	@mkdir -p dist/chart
	$(HELM) template waybill controllers/chart --namespace waybill-system >dist/chart/waybill.yaml
	SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct 2>/dev/null)" $(HELM) package controllers/chart --destination dist/chart

# goreleaser runs these without the environment of make, as programs on the PATH.
RELEASETOOL := go tool -modfile=.ci/release/go.mod
TOOLS = mkdir -p bin/tools; for tool in $(1); do ln -sf "$$($(RELEASETOOL) -n $$tool)" bin/tools/; done
# It reads no commit from a repository that has no remote.
REMOTE := $(if $(shell git remote 2>/dev/null),,GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://github.com/waybill-dev/waybill)
GORELEASER := $(REMOTE) PATH="$(CURDIR)/bin/tools:$$PATH" goreleaser release --clean --config bin/goreleaser.yaml
# All platforms: images and the chart, too. Else, what goreleaser cannot make without a program for linux, or for a system with Homebrew.
WHOLE = $(if $(filter file,$(origin PLATFORMS)),images install-yaml chart)
WITHOUT = $(if $(filter linux/%,$(PLATFORMS)),,--skip=nfpm) $(if $(filter linux/% darwin/%,$(PLATFORMS)),,--skip=homebrew)

.PHONY: release-snapshot
release-snapshot: $(WHOLE) ## Make all of a release but signatures: dist/release, images and chart; PLATFORMS=linux/arm64 makes only files, and only these
	@echo 'Building dist/release. The first time, Go builds goreleaser, too: three minutes.' >&2
	@$(call TOOLS,goreleaser cyclonedx-gomod)
	@sed 's|&targets \[.*\]|\&targets [$(subst /,_,$(PLATFORMS))]|; /targets/s/\([0-9]\) /\1, /g' .goreleaser.yaml >bin/goreleaser.yaml
	$(GORELEASER) --snapshot --skip=sign $(WITHOUT)
	@echo 'Wrote to dist/release:' >&2
	@cd dist/release && du -h --apparent-size *.tar.gz *.zip *.deb *.rpm *.apk *.cdx.json checksums.txt homebrew/*/* krew/* >&2 2>/dev/null || true

# The version of this tree, and the tag of this commit.
VERSION = $(shell sed -n 's/^const Version = "\(.*\)"/\1/p' pkg/catalog/catalog.go)
TAG ?= $(shell git describe --exact-match --tags --match 'v[0-9]*' 2>/dev/null)

.PHONY: release-check
release-check: ## Check that TAG, or the tag of this commit, is the version of this tree, and that CHANGELOG.md has a part on it
	@[ '$(TAG)' = '$(VERSION)' ] || { echo 'the tag is "$(TAG)": want $(VERSION), as in pkg/catalog/catalog.go' >&2; exit 1; }
	@mkdir -p bin
	@awk -v head='## [$(VERSION:v%=%)]' 'index($$0, "## ") == 1 { on = index($$0, head) == 1; next } on' CHANGELOG.md >bin/notes.md
	@grep -q . bin/notes.md || { echo 'CHANGELOG.md has no part "## [$(VERSION:v%=%)]"' >&2; exit 1; }

REGISTRY ?= ghcr.io/waybill-dev
# What waybill version says in the image of a release, as in .goreleaser.yaml.
STAMP := -X github.com/waybill-dev/waybill/cmd/waybill/internal/version
COMMITDATE := TZ=UTC0 git log -1 --date=format-local:%Y-%m-%dT%H:%M:%SZ --format=%cd

.PHONY: release-images
release-images: release-check ## Build, push and sign the images of this release, list them in dist/images.txt, and write dist/install.yaml; the workflow of releases runs it
	@$(call TOOLS,cosign)
	$(MAKE) images IMAGELDFLAGS="$(STAMP).release=$(TAG) $(STAMP).commit=$$(git rev-parse HEAD) $(STAMP).date=$$($(COMMITDATE))"
	bin/waybill image push --layout dist/layout --to $(REGISTRY) --output yaml >dist/digests.yaml
	$(MAKE) install-yaml DIGESTS=dist/digests.yaml INSTALL=dist/install.yaml
	@bin/waybill image push --layout dist/layout --to $(REGISTRY) >dist/pushed.txt # it sends nothing: its table is easy to read
	@awk 'NR > 1 { split($$1, name, ":v"); sub("sha256:", "", $$2); print $$2 "  " name[1] }' dist/pushed.txt >dist/images.txt
	@while read -r digest name; do (set -x; bin/tools/cosign sign --yes "$$name@sha256:$$digest" </dev/null); done <dist/images.txt

.PHONY: release
release: release-check chart ## Make, sign and publish the files of this release, with dist/install.yaml; the workflow of releases runs it
	@[ -f dist/install.yaml ] || { echo 'dist/install.yaml is missing: it names images by digest, once they are pushed' >&2; exit 1; }
	@$(call TOOLS,goreleaser cyclonedx-gomod cosign)
	@cp .goreleaser.yaml bin/goreleaser.yaml
	@for file in dist/install.yaml dist/chart/*.tgz; do \
		(set -x; bin/tools/cosign sign-blob --yes --new-bundle-format --bundle="$$file.sigstore.json" "$$file"); \
	done # goreleaser signs only what it makes
	GORELEASER_CURRENT_TAG='$(TAG)' $(GORELEASER) --release-notes=bin/notes.md

.PHONY: clean
clean: ## Remove what make built
	rm -rf bin dist
