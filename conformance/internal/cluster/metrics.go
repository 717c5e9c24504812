package cluster

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// webhookCount matches the metric that counts the calls of a webhook, one line per operation and outcome.
var webhookCount = regexp.MustCompile(`^apiserver_admission_webhook_admission_duration_seconds_count\{name="([^"]+)".*\} (\d+)$`)

// WebhookCalls is how often the server called a webhook.
type WebhookCalls struct {
	Name  string
	Count int
}

// WebhookCalls returns the webhooks that the server has called, by name.
func (c *Client) WebhookCalls(ctx context.Context) ([]WebhookCalls, error) {
	metrics, err := c.discovery.RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the server's metrics: %w", err)
	}
	counts := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(metrics))
	for lines.Scan() {
		match := webhookCount.FindStringSubmatch(lines.Text())
		if match == nil {
			continue
		}
		count, err := strconv.Atoi(match[2])
		if err != nil {
			return nil, fmt.Errorf("read the calls of webhook %s: %w", match[1], err)
		}
		counts[match[1]] += count
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the server's metrics: %w", err)
	}
	calls := make([]WebhookCalls, 0, len(counts))
	for name, count := range counts {
		calls = append(calls, WebhookCalls{Name: name, Count: count})
	}
	slices.SortFunc(calls, func(a, b WebhookCalls) int { return cmp.Compare(a.Name, b.Name) })
	return calls, nil
}
