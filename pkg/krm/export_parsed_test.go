package krm

// Bytes is how much text p keeps the objects of.
func (p *Parsed) Bytes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}
