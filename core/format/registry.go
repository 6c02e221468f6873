package format

// registry is every format that can be read, in the order in which they are
// shown. Adding one is a file and a line here.
func registry() []*format {
	return []*format{
		chatFormat(),
		responsesFormat(),
		anthropicFormat(),
		bedrockFormat(),
		geminiFormat(),
		geminiCLIFormat(),
		aiSDKUIFormat(),
		aiSDKModelFormat(),
		langchainFormat(),
		rolloutFormat(),
		claudeFormat(),
		codexExecFormat(),
		chatgptFormat(),
		opencodeFormat(),
		clineFormat(),
		piFormat(),
		sweFormat(),
		miniFormat(),
		openhandsFormat(),
		atifFormat(),
		sharegptFormat(),
		plainTextFormat(),
	}
}

func find(name string) *format {
	for _, f := range registry() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
