package container

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/distribution/reference"

	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
)

// listing bounds an engine that is asked for its images.
var listing = exec.Limits{Time: time.Minute, Output: 64 << 20}

// LocalTags lists the tags that the engine has of a repository, which is named in full, in the
// engine's order.
func LocalTags(ctx context.Context, engine, repository string) (tags []string, err error) {
	argv := []string{engine, "images", "--format", "{{.Repository}} {{.Tag}}"}
	stdout, stderr, code, err := exec.Run(ctx, argv, nil, listing)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit status %d: %s", code, runner.LastLine(string(stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("%s images: %w", engine, err)
	}
	for line := range strings.Lines(string(stdout)) {
		name, tag, _ := strings.Cut(strings.TrimSpace(line), " ")
		// Engines leave docker.io out or not, and have images without a name.
		if ref, err := reference.ParseNormalizedNamed(name); err == nil && ref.Name() == repository && tag != "<none>" {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}
