// Command probe does nothing and succeeds: what a container runs to show that containers run.
package main

func main() {}
