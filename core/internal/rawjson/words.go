package rawjson

// longestWord is the length of the longest word below.
const longestWord = 23

// word is the string that b is, where it is a key, role or type that every
// message of a wire format repeats; "" for all others. A switch makes no copy of
// b, so that reading such a word allocates nothing.
func word(b []byte) string {
	switch string(b) {
	case "role":
		return "role"
	case "content":
		return "content"
	case "type":
		return "type"
	case "text":
		return "text"
	case "id":
		return "id"
	case "name":
		return "name"
	case "system":
		return "system"
	case "developer":
		return "developer"
	case "user":
		return "user"
	case "assistant":
		return "assistant"
	case "tool":
		return "tool"
	case "model":
		return "model"
	case "message":
		return "message"
	case "messages":
		return "messages"
	case "timestamp":
		return "timestamp"
	case "function":
		return "function"
	case "arguments":
		return "arguments"
	case "tool_calls":
		return "tool_calls"
	case "tool_call_id":
		return "tool_call_id"
	case "input":
		return "input"
	case "output":
		return "output"
	case "parts":
		return "parts"
	case "call_id":
		return "call_id"
	case "status":
		return "status"
	case "summary":
		return "summary"
	case "payload":
		return "payload"
	case "thinking":
		return "thinking"
	case "signature":
		return "signature"
	case "image":
		return "image"
	case "image_url":
		return "image_url"
	case "source":
		return "source"
	case "tool_use":
		return "tool_use"
	case "tool_result":
		return "tool_result"
	case "tool_use_id":
		return "tool_use_id"
	case "is_error":
		return "is_error"
	case "input_text":
		return "input_text"
	case "output_text":
		return "output_text"
	case "reasoning":
		return "reasoning"
	case "reasoning_content":
		return "reasoning_content"
	case "summary_text":
		return "summary_text"
	case "encrypted_content":
		return "encrypted_content"
	case "function_call":
		return "function_call"
	case "function_call_output":
		return "function_call_output"
	case "custom_tool_call":
		return "custom_tool_call"
	case "custom_tool_call_output":
		return "custom_tool_call_output"
	case "response_item":
		return "response_item"
	case "event_msg":
		return "event_msg"
	case "turn_context":
		return "turn_context"
	case "completed":
		return "completed"
	}
	return ""
}
