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

// listing bounds the command that lists images.
var listing = exec.Limits{Time: time.Minute, Output: 64 << 20}

// LocalTags lists the tags of a repository, by its full name, that the engine has, in the
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
		// Engines may leave out docker.io, and have images without a name.
		if ref, err := reference.ParseNormalizedNamed(name); err == nil && ref.Name() == repository && tag != "<none>" {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}
